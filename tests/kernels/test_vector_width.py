"""The same trials on a processor without wide vectors: every step is of whole numbers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from kernels.test_plans import ENDS, chain, played, random_tree

from chargesim.kernels.layout import lay_out
from chargesim.kernels.words import BLOCK

SPAN = (BLOCK - 1000, 2 * BLOCK + 1000)
PLAY = """
import json, sys
import numpy as np
from chargesim.kernels import plans as p
from chargesim.kernels.dice import Mode, new_dice
for name in sys.argv[4:]:
    with np.load(name) as file:
        plan = p.Plan(*(x if x.ndim else bool(x) for x in (file[f] for f in p.Plan._fields)))
    bench = p.new_bench(plan, int(sys.argv[1]))
    p.play_plan(new_dice(Mode.SAMPLE, 9)[0], plan, bench, int(sys.argv[2]), int(sys.argv[3]))
    p.read_tally(plan, bench)
    print(json.dumps(bench.counts.sum(axis=0).tolist()))
"""


def test_a_processor_with_narrow_vectors_plays_the_same_trials(tmp_path: Path) -> None:
    trees = [chain(5, 4), random_tree(np.random.default_rng(7), 120, 9, 6)]
    assert [lay_out(tree, ENDS).further for tree in trees] == [False, True]
    files = []
    for number, tree in enumerate(trees):
        files.append(str(tmp_path / f"{number}.npz"))
        np.savez(files[-1], **lay_out(tree, ENDS)._asdict())
    arguments = [str(ENDS), *(str(edge) for edge in SPAN), *files]
    narrow = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    environment = {**os.environ, **narrow, "CHARGESIM_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PLAY, *arguments],
        env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    counts = [json.loads(line) for line in done.stdout.splitlines()]
    expected = [played(tree, 9, [SPAN])[1].tolist() for tree in trees]
    assert counts == expected
