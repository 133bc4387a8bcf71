# Everything a developer does. It needs Python 3.11 or newer, git and make; the rest it fetches itself
# into .venv, pinned by constraints.txt. `make PYTHON=python3.12 test` chooses another Python.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SCENARIO := chargesim/data/scenarios/boar_riders.toml

# the first pip that reads dependency groups is 25.1, that pins build tools 25.3; Python brings an older one
PIP_VERSION := 26.3
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input
PINNED := --constraint constraints.txt --build-constraint constraints.txt

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint bench locale notebooks wheel-test constraints clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

demo: $(VENV)/.runtime ## run the main job on a shipped scenario
	$(BIN)/chargesim run $(SCENARIO)

# pytest comes last, so that its closing line is the last one printed
test: lint ## check style, types and layers, then run the whole test suite
	$(BIN)/python -m pytest

lint: $(VENV)/.dev ## check style, types and layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev ## check the opponents, measure side by side, write the README's section and SCALING.md
	$(BIN)/python -m pytest benchmarks/opponents
	PYTHONPATH=tests $(BIN)/python benchmarks/run.py --write
	PYTHONPATH=tests $(BIN)/python benchmarks/scaling.py --write

locale: $(VENV)/.dev ## compile the message catalogues
	for po in chargesim/locale/*/LC_MESSAGES/*.po; do \
	    $(BIN)/pybabel --quiet compile --input-file "$$po" --output-file "$${po%.po}.mo" || exit 1; \
	done

notebooks: $(VENV)/.dev ## run the notebooks and write their .ipynb files
	$(BIN)/python tests/update_notebooks.py

# The sdist is built first and the wheel from it, so that a file missing in either is noticed. The
# wheel then stands alone: another environment, another folder, no checkout in sight.
wheel-test: $(VENV)/.dev ## build the wheel and use it in an empty environment
	@set -eu; \
	dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	$(BIN)/python -m build --no-isolation --outdir "$$dir/dist" . > "$$dir/build.log" 2>&1 \
	    || { cat "$$dir/build.log"; exit 1; }; \
	$(PYTHON) -m venv "$$dir/venv"; \
	"$$dir/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
	    --constraint constraints.txt "$$dir"/dist/*.whl; \
	cd "$$dir"; export CHARGESIM_CACHE_DIR="$$dir/cache"; \
	scenario=$$("$$dir/venv/bin/python" -c \
	    'import pathlib, chargesim; print(pathlib.Path(chargesim.__file__).parent / "$(SCENARIO:chargesim/%=%)")'); \
	case "$$scenario" in "$$dir"/*) ;; *) echo "not the installed package: $$scenario"; exit 1;; esac; \
	for command in "run $$scenario" "run $$scenario --lang es" "trace $$scenario --lang es"; do \
	    "$$dir/venv/bin/chargesim" $$command > out.txt; \
	    test -s out.txt || { echo "chargesim $$command printed nothing"; exit 1; }; \
	    cat out.txt; \
	done; \
	"$$dir/venv/bin/chargesim" odds "2d6 <= 7" > out.txt; \
	grep -q '58[.,]33' out.txt || { echo "odds: 2d6 <= 7 is not 58.33 %:"; cat out.txt; exit 1; }; \
	echo "wheel-test: $$(cd dist; echo *.whl) works"

# a new environment with the newest of everything; run the tests before you commit the result
constraints: ## write constraints.txt anew
	@set -eu; \
	dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	$(PYTHON) -m venv "$$dir"; \
	"$$dir/bin/python" -m pip install --quiet --disable-pip-version-check pip==$(PIP_VERSION); \
	"$$dir/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --group dev -e .; \
	{ sed -n '/^#/p' constraints.txt; \
	  "$$dir/bin/python" -m pip list --format freeze --exclude-editable --exclude pip --exclude setuptools \
	  | LC_ALL=C sort -f; } > "$$dir/new.txt"; \
	cp "$$dir/new.txt" constraints.txt

clean: ## remove what was made
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are newer than what they were made from; a new pin or dependency installs anew.
$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || { \
	    echo "chargesim needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) --version 2>&1 | head -n 1)."; \
	    echo "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) pip==$(PIP_VERSION)
	@touch $@

$(VENV)/.runtime: $(VENV)/.python pyproject.toml constraints.txt
	$(INSTALL) $(PINNED) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.python pyproject.toml constraints.txt
	$(INSTALL) $(PINNED) --group dev --editable .
	@touch $(VENV)/.runtime $@
