"""``python -m chargesim``."""

from chargesim.cli import main

main()
