"""The same trials on a processor without wide vectors: every step is of whole numbers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from kernels import test_rolled_plans as rolled
from kernels.test_bands import forked
from kernels.test_plans import ENDS, chain, played, random_tree

from chargesim.kernels import dice as d
from chargesim.kernels import rolled_plans as r
from chargesim.kernels.layout import lay_out
from chargesim.kernels.plans import BANDS
from chargesim.kernels.words import BLOCK

SPAN = (BLOCK - 1000, 2 * BLOCK + 1000)
PLAY = """
import json, sys
import numpy as np
from chargesim.kernels import plans as p, rolled_plans as r
from chargesim.kernels.dice import Mode, new_dice
ends, first, stop = (int(x) for x in sys.argv[1:4])
for name in sys.argv[4:]:
    with np.load(name) as file:
        plan = p.Plan(*(x if x.ndim else bool(x) for x in (file[f] for f in p.Plan._fields)))
    if name.endswith("rolled.npz"):
        dice, tray = new_dice(Mode.ROLL, 9)[0], r.new_tray(plan, ends)
        r.play_rolled(dice, plan, tray, first, stop, True)
        counts = r.ends_of(tray)
    else:
        bench = p.new_bench(plan, ends)
        p.play_plan(new_dice(Mode.SAMPLE, 9)[0], plan, bench, first, stop)
        p.read_tally(plan, bench)
        counts = bench.counts.sum(axis=0)
    print(json.dumps(counts.tolist()))
"""


def test_a_processor_with_narrow_vectors_plays_the_same_trials(tmp_path: Path) -> None:
    trees = [chain(5, 4), forked([2, 0, 4, 6, 8]), random_tree(np.random.default_rng(7), 120, 9, 6)]
    plans = [lay_out(tree, ENDS) for tree in trees]
    assert [plan.further for plan in plans] == [False, False, True]
    assert [plan.bands.shape[0] for plan in plans] == [BANDS, BANDS, 0]
    files = []
    for number, plan in enumerate(plans):
        files.append(str(tmp_path / f"{number}.npz"))
        np.savez(files[-1], **plan._asdict())
    plan = lay_out(rolled.random_tree(1, 12), ENDS)
    files.append(str(tmp_path / "rolled.npz"))
    np.savez(files[-1], **plan._asdict())
    arguments = [str(ENDS), *(str(edge) for edge in SPAN), *files]
    narrow = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    environment = {**os.environ, **narrow, "CHARGESIM_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PLAY, *arguments],
        env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    counts = [json.loads(line) for line in done.stdout.splitlines()]
    expected = [played(tree, 9, [SPAN])[1].tolist() for tree in trees]
    dice, tray = d.new_dice(d.Mode.ROLL, 9)[0], r.new_tray(plan, ENDS)
    r.play_rolled(dice, plan, tray, *SPAN, True)
    expected.append(r.ends_of(tray).tolist())
    assert counts == expected
