"""Running studies: the right numbers, whoever works, whatever was there before."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from study.build import content

import chargesim as cs
from chargesim.data import scenarios, studies
from chargesim.engine import sample as sampling
from chargesim.errors import InputError
from chargesim.study import answers as answering
from chargesim.study import plan as planning
from chargesim.study import workers
from chargesim.study.file import Study, load_study
from chargesim.study.plan import forecast, make_plan
from chargesim.study.status import status
from chargesim.study.store import Store, StoreError
from chargesim.study.sweep import run

Make = Callable[..., Study]
pytestmark = pytest.mark.usefixtures("small_jobs")


def chance(frame: pd.DataFrame, place: int, word: str) -> float:
    return float(frame[word].iloc[place])


# the numbers


def test_each_point_is_what_its_scenario_says_by_itself(make: Make, tmp_path: Path) -> None:
    study = make(engine="auto", axes={"charge.0.distance": [20, 30], "unit.boars.Ld": [6, 9]})
    frame = cs.sweep(study, tmp_path)
    assert list(frame["point"]) == [0, 1, 2, 3]
    assert list(frame["unit.boars.Ld"]) == [6, 9, 6, 9]
    assert set(frame["engine"]) == {"exact"}
    assert frame["trials"].isna().all()
    assert frame["error"].isna().all()
    for place, (distance, ld) in enumerate([(20, 6), (20, 9), (30, 6), (30, 9)]):
        changes = {"charge.0.distance": distance, "unit.boars.Ld": ld}
        result = cs.solve(study.scenario.replace(**changes))
        for name in frame.columns[5:-1]:
            # summed in another order, so but for the last bits
            expected = pytest.approx(result.probability(name), rel=1e-13, abs=0)
            assert chance(frame, place, name) == expected, name


def test_sampled_points_share_their_luck_or_have_their_own(make: Make, tmp_path: Path) -> None:
    same = {"charge.0.distance": [36], "unit.handgunners.WS": [2, 3, 4]}  # never seen before blows
    shared = cs.sweep(make(same), tmp_path / "shared")
    result = cs.solve(make(same).scenario.replace(**{"charge.0.distance": 36}),
                      engine="sample", trials=2_000)  # fmt: skip
    assert set(shared["0:contact"]) == {result.probability("contact")}
    low, high = result.interval("contact")
    frame = cs.read_study(tmp_path / "shared", "contact", intervals=True)
    assert set(frame["contact low"]) == {low}
    assert set(frame["contact high"]) == {high}
    own = cs.sweep(make(same, luck="independent"), tmp_path / "own")
    assert len(set(own["0:contact"])) > 1
    part = make(same).scenario.replace(**{"charge.0.distance": 36}).parts[0]
    tally = sampling.sample(part, 2_000, point=2)
    view = tally.reading.charges[0]
    hits = tally.weights[view.codes == 1].sum()
    assert own["0:contact"].iloc[2] * 2_000 == pytest.approx(hits)


def test_precision_is_reached_by_doubling(make: Make, tmp_path: Path) -> None:
    wanted: dict[str, Any] = {"trials": None, "precision": 0.0015}
    frame = cs.sweep(make({"charge.0.distance": [24]}, **wanted), tmp_path)
    scenario = make().scenario.replace(**{"charge.0.distance": 24})
    result = cs.solve(scenario, engine="sample", precision=0.0015)
    assert frame["trials"].iloc[0] == result.trials in (262_144, 524_288)
    assert frame["0:contact"].iloc[0] == result.probability("contact")
    certain = make({"charge.0.distance": [12]}, until="charge_moves", **wanted)
    assert cs.sweep(certain, tmp_path)["trials"].to_list() == [65_536]


def test_everything_can_be_kept_and_asked_for(make: Make, tmp_path: Path) -> None:
    study = make({"charge.0.distance": [20, 24]}, engine="exact", keep="all", trials=None)
    run(study, tmp_path)
    asked = [
        "contact", "contact+blocked", "target_broke*", "shooting_casualties>=2", "boars:fleeing",
        "mean:shooting_casualties", "mean:handgunners:models_left", "needs_sixes",
        "handgunners:combat_result=3", "boars:models_left<=4",
    ]  # fmt: skip
    frame = cs.read_study(tmp_path, asked)
    for place, distance in enumerate((20, 24)):
        result = cs.solve(study.scenario.replace(**{"charge.0.distance": distance}))
        for name in asked:
            assert frame[name].iloc[place] == pytest.approx(result.value(name), abs=1e-12), name
    tidy = cs.read_study(tmp_path, tidy=True)
    for _, group in tidy.groupby(["point", "kind", "subject", "quantity"], observed=True):
        assert group["p"].sum() <= 1 + 1e-12


def test_means_of_samples_have_the_intervals_of_results(make: Make, tmp_path: Path) -> None:
    from chargesim.report.values import measure

    study = make({"charge.0.distance": [24]}, keep="all")
    run(study, tmp_path)
    name = "mean:shooting_casualties"
    frame = cs.read_study(tmp_path, [name], intervals=True)
    scenario = study.scenario.replace(**{"charge.0.distance": 24})
    found = measure(cs.solve(scenario, engine="sample", trials=2_000), name)
    ends = frame[[name, f"{name} low", f"{name} high"]].iloc[0].to_list()
    assert ends == pytest.approx([found.value, found.low, found.high], abs=1e-12)


def test_choices_are_made_at_each_point(tmp_path: Path, make: Make) -> None:
    study = make(
        {"charge.0.distance": [14, 34]}, scenario=str(scenarios()["best_reaction"]), engine="auto"
    )
    frame = cs.sweep(study, tmp_path)
    unit = next(name for name in frame.columns if name.endswith(":choice"))
    for place, distance in enumerate((14, 34)):
        result = cs.solve(study.scenario.replace(**{"charge.0.distance": distance}))
        chosen = [one["choice"] for one in result.alternatives if one["chosen"]]
        assert frame[unit].iloc[place] in chosen
        expected = pytest.approx(result.probability("contact"), rel=1e-13)
        assert frame["0:contact"].iloc[place] == expected


def test_until_stops_early_and_keeps_what_is_decided(make: Make, tmp_path: Path) -> None:
    axes = {"charge.0.distance": [20, 30]}
    early = cs.sweep(make(axes, engine="exact", until="charge_moves"), tmp_path / "early")
    whole = cs.sweep(make(axes, engine="exact"), tmp_path / "whole")
    for word in (name for name in whole.columns if name.startswith("0:")):
        assert early[word].to_list() == pytest.approx(whole[word].to_list(), abs=1e-12)
    assert not any(name.startswith("handgunners:") for name in early.columns)
    too_early = cs.sweep(make(axes, until="tests"), tmp_path / "tests")
    assert "charge 0 is not decided by the end of 'tests'" in too_early["error"].iloc[0]


@pytest.mark.parametrize("name", ["stand_or_square", "price_of_a_flank"])
def test_the_other_rulesets_run_too(name: str, tmp_path: Path) -> None:
    study = load_study(studies()[name])
    small = Study(
        title=study.title, scenario=study.scenario, design=study.design, engine=study.engine,
        trials=500, seed=study.seed, luck=study.luck, keep=study.keep,
    )  # fmt: skip
    frame = cs.sweep(small, tmp_path)
    assert len(frame) == study.design.count
    assert frame["error"].isna().all()
    words = [column for column in frame.columns if column.startswith("0:")]
    assert np.allclose(frame[words].sum(axis=1), 1)


def test_a_point_that_cannot_stand_is_told_and_stops_nobody(make: Make, tmp_path: Path) -> None:
    study = make({"unit.boars.models": [4, 5], "unit.boars.width": [4, 5]}, engine="exact")
    done = run(study, tmp_path)
    (failure,) = done.status.failures
    assert failure.values == {"unit.boars.models": 4, "unit.boars.width": 5}
    assert "unit.boars.width" in failure.error
    assert done.status.exit_code == 3
    assert (done.status.points, done.status.failed, done.status.exact) == (4, 1, 3)
    frame = cs.read_study(tmp_path)
    assert frame["error"].notna().to_list() == [False, True, False, False]
    assert np.isnan(frame["0:contact"].iloc[1])
    assert frame["0:contact"].notna().sum() == 3
    tidy = cs.read_study(tmp_path, tidy=True)
    assert tidy[tidy["point"] == 1]["error"].to_list() == [failure.error]


def test_too_large_a_tree_fails_when_exact_is_asked_for(make: Make, tmp_path: Path) -> None:
    axes = {"charge.0.distance": [24, 12]}
    few: dict[str, Any] = {"max_states": 20, "until": "charge_moves"}
    frame = cs.sweep(make(axes, engine="exact", **few), tmp_path / "exact")
    assert "more than 20 states" in frame["error"].iloc[0]
    assert frame["error"].isna().iloc[1]
    auto = cs.sweep(make(axes, engine="auto", **few), tmp_path / "auto")
    assert auto["engine"].to_list() == ["sample", "exact"]


# who works


def test_bytes_do_not_depend_on_who_works(make: Make, tmp_path: Path) -> None:
    study = make()
    kinds: dict[str, dict[str, Any]] = {
        "one": {"threads": 1}, "threads": {"threads": 3}, "processes": {"workers": 2},
    }  # fmt: skip
    for name, options in kinds.items():
        run(study, tmp_path / name, **options)
    first = content(tmp_path / "one")
    assert len(first) > 4
    assert all(content(tmp_path / name) == first for name in kinds)


def test_a_worker_with_other_rules_refuses(make: Make) -> None:
    plan = make_plan(make())
    from chargesim.study.sheets import schema_of

    task = workers.Task(plan.question, schema_of(plan.study.axes), plan.hash, "0.0.1")
    with pytest.raises(InputError, match="install the same on every machine"):
        workers.do_job(task, workers.Job(0, 0, [(20, 6)]))


def test_jobs_are_cut_by_counts(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = make_plan(make(trials=1_000)), make_plan(make(trials=10_000_000))
    assert small.size > large.size == 1
    monkeypatch.setattr(planning, "JOB", 5e8)
    exact = make_plan(make(engine="exact"))
    assert 1_000 < exact.size < 4_096
    assert [exact.span(job) for job in range(exact.jobs)][-1][1] == exact.points


# interrupted


class Stop(Exception):
    """Stands for whatever ends a run."""


def after(points: int) -> Callable[[int, int, int], None]:
    def stop(done: int, _: int, __: int) -> None:
        if done >= points:
            raise Stop

    return stop


def test_an_interrupted_study_goes_on_and_ends_with_the_same_bytes(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make()
    run(study, tmp_path / "whole")
    for points in (1, 5, 9, 13):
        with pytest.raises(Stop):
            run(study, tmp_path / "parts", threads=1, progress=after(points))
        far = status(tmp_path / "parts")
        assert 0 < far.points < study.design.count
        assert not far.is_complete
        assert far.exit_code == 3
        assert len(cs.read_study(tmp_path / "parts")) == far.points
    asked: list[int] = []
    real = answering.answers

    def watched(question: Any, points: Any, *more: Any) -> Any:
        given = list(points)
        asked.extend(number for number, _ in given)
        return real(question, given, *more)

    monkeypatch.setattr(workers, "answers", watched)
    done = run(study, tmp_path / "parts")
    assert len(asked) == done.done == study.design.count - far.points
    assert content(tmp_path / "parts") == content(tmp_path / "whole")
    asked.clear()
    assert run(study, tmp_path / "parts").done == 0 == len(asked)


def test_a_full_disk_keeps_what_is_finished(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make()
    run(study, tmp_path / "whole")
    left = iter(range(8))

    def fsync(handle: int) -> None:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(
            StoreError, match=r"No space left on device.*same command again"
        ) as full:
            run(study, tmp_path / "full", threads=1)
    assert full.value.exit_code == 3
    assert not list((tmp_path / "full").rglob("*.draft"))
    assert 0 < status(tmp_path / "full").points < study.design.count
    run(study, tmp_path / "full")
    assert content(tmp_path / "full") == content(tmp_path / "whole")


@pytest.mark.parametrize("harm", ["cut", "altered", "gone"])
def test_a_damaged_file_is_found_and_done_again(make: Make, tmp_path: Path, harm: str) -> None:
    study = make()
    run(study, tmp_path)
    before = content(tmp_path)
    file = sorted(tmp_path.rglob("job-*.parquet"))[2]
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    if harm == "gone":
        file.unlink()
    else:
        file.write_bytes(data if harm == "altered" else data[: len(data) // 2])
    far = status(tmp_path)
    assert not far.is_complete
    assert far.damaged == (() if harm == "gone" else (file.name,))
    if harm != "gone":
        with pytest.raises(InputError, match=f"damaged: {file.name}: run the study"):
            cs.read_study(tmp_path)
    done = run(study, tmp_path)
    assert 0 < done.done < study.design.count
    assert done.damaged == far.damaged
    assert content(tmp_path) == before


# more of it, and something else


def test_more_trials_add_only_what_is_missing(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(make(trials=20_000), tmp_path / "fresh")
    run(make(trials=8_192), tmp_path / "more")
    played: list[tuple[int, int]] = []
    real = answering.sample_many

    def watched(parts: Any, trials: int, **options: Any) -> Any:
        played.append((options.get("first", 0), trials))
        return real(parts, trials, **options)

    monkeypatch.setattr(answering, "sample_many", watched)
    done = run(make(trials=20_000), tmp_path / "more")
    assert set(played) == {(8_192, 20_000 - 8_192)}
    assert done.reused == done.done == make().design.count
    assert (len(done.status.others), done.status.others[0]["trials"]) == (1, 8_192)
    fresh = {k: v for k, v in content(tmp_path / "fresh").items() if not k.startswith("_study")}
    more = {k: v for k, v in content(tmp_path / "more").items() if not k.startswith("_study")}
    assert more == fresh
    # and fewer again: those that are there are taken as they were
    assert run(make(trials=8_192), tmp_path / "more").done == 0


def test_more_points_add_only_what_is_missing(make: Make, tmp_path: Path) -> None:
    few, more = {"charge.0.distance": "20:32:4", "unit.boars.Ld": [7]}, {
        "charge.0.distance": "16:40:4", "unit.boars.Ld": [6, 7],
    }  # fmt: skip
    run(make(more, engine="exact"), tmp_path / "fresh")
    run(make(few, engine="exact"), tmp_path / "more")
    done = run(make(more, engine="exact"), tmp_path / "more")
    assert (done.done, done.reused) == (14, 4)
    whole = content(tmp_path / "fresh")
    assert {k: v for k, v in content(tmp_path / "more").items() if k in whole} == whole
    frame = pd.read_parquet(tmp_path / "more")  # one call, and nothing of the other study in it
    assert set(frame["unit.boars.Ld"]) == {6.0, 7.0}
    assert frame["point"].nunique() == 14


def test_a_finer_precision_goes_on_from_a_coarser_one(make: Make, tmp_path: Path) -> None:
    axes = {"charge.0.distance": [24]}
    fine, coarse = (make(axes, trials=None, precision=p) for p in (0.0015, 0.003))
    run(fine, tmp_path / "fresh")
    run(coarse, tmp_path / "more")
    done = run(fine, tmp_path / "more")
    assert done.reused == 1
    whole = content(tmp_path / "fresh")
    assert {k: v for k, v in content(tmp_path / "more").items() if k in whole} == whole
    # the other way round there is nothing to go on from: a fresh start stops before
    run(fine, tmp_path / "less")
    assert run(coarse, tmp_path / "less").reused == 0


def test_points_with_luck_of_their_own_are_reused_under_their_number_alone(
    make: Make, tmp_path: Path
) -> None:
    def study(*distances: int) -> Study:
        return make({"charge.0.distance": list(distances)}, luck="independent")

    run(study(20, 24), tmp_path)
    assert run(study(20, 24, 28), tmp_path).reused == 2
    assert run(study(16, 20, 24), tmp_path).reused == 0


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1}, {"keep": "all"}, {"luck": "independent"}, {"engine": "auto"},
        {"scenario": str(scenarios()["long_range"])},
    ],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_what_changes_the_numbers_begins_anew_and_keeps_the_old_apart(
    make: Make, tmp_path: Path, change: dict[str, Any]
) -> None:
    axes = {"charge.0.distance": [20, 24]}
    first = make_plan(make(axes))
    run(first.study, tmp_path)
    old = cs.read_study(tmp_path)
    done = run(make(axes, **change), tmp_path)
    assert (done.done, done.reused) == (2, 0)
    assert [other["hash"] for other in done.status.others] == [first.hash]
    assert pd.read_parquet(tmp_path)["point"].nunique() == 2
    kept = cs.read_study(tmp_path / f"_study-{first.hash[:12]}")
    pd.testing.assert_frame_equal(kept, old)
    again = run(make(axes), tmp_path)  # back to the first: it is still there
    assert again.done == 0


def test_other_rules_begin_anew(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chargesim.kernels import jit

    axes = {"charge.0.distance": [20, 24]}
    run(make(axes), tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(jit, "rules_hash", lambda ruleset: "f" * 64)
        done = run(make(axes), tmp_path, threads=1)
    assert (done.done, done.reused) == (2, 0)
    assert len(done.status.others) == 1


# folders


def test_a_second_run_on_a_folder_is_refused(make: Make, tmp_path: Path) -> None:
    run(make({"charge.0.distance": [20]}), tmp_path)
    with Store(tmp_path).locked():
        with pytest.raises(InputError, match="another run is writing to this folder"):
            run(make(), tmp_path)
        assert status(tmp_path).is_busy
    assert not status(tmp_path).is_busy
    run(make(), tmp_path)


def test_a_folder_that_holds_something_else_is_refused(make: Make, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    with pytest.raises(InputError, match=r"holds something else \('letters'\)"):
        run(make(), tmp_path)
    file = tmp_path / "letters" / "a.txt"
    file.write_text("dear")
    with pytest.raises(InputError, match="is a file: give a folder"):
        run(make(), file)
    with pytest.raises(InputError, match="holds no study"):
        status(tmp_path / "letters" if not file.unlink() else tmp_path)
    with pytest.raises(InputError, match="there is no such folder"):
        cs.read_study(tmp_path / "nowhere")


def test_a_folder_that_cannot_be_written_to_is_told(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="cannot be written to"):
        run(make(), Path(os.devnull) / "results")

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(InputError, match=r"cannot be written to \(Permission denied\)"):
        run(make(), tmp_path / "new")


def test_axes_of_which_nothing_can_stand_are_told_before_any_work(
    make: Make, tmp_path: Path
) -> None:
    study = make({"unit.boars.Ld": [11, 12], "charge.0.distance": [20, 24]})
    with pytest.raises(InputError) as caught:
        run(study, tmp_path / "new")
    assert "no point of this study can stand" in str(caught.value)
    assert 'axes."unit.boars.Ld": none of 11, 12 can stand' in str(caught.value)
    assert "11 is too large: at most 10" in str(caught.value)
    assert "distance" not in str(caught.value)
    assert not (tmp_path / "new").exists()


def test_a_forecast_is_near_and_leaves_nothing(make: Make, tmp_path: Path) -> None:
    study = make({"charge.0.distance": "16:40:1", "unit.handgunners.Ld": "5:10"}, engine="exact")
    plan = make_plan(study)
    found = forecast(plan)
    assert (found.plan.points, len(found.probed)) == (150, planning.PROBES)
    assert not found.failed
    done = run(study, tmp_path)
    assert done.status.bytes / 3 < found.bytes < done.status.bytes * 3


def test_numbers_of_workers_and_threads_are_checked(make: Make, tmp_path: Path) -> None:
    for options in ({"workers": 0}, {"threads": 0}, {"threads": 5000}):
        with pytest.raises(InputError, match="cannot be: from 1 to 1,024"):
            run(make(), tmp_path, **options)


def test_what_a_store_cannot_tell_is_refused(make: Make, tmp_path: Path) -> None:
    run(make({"charge.0.distance": [20]}), tmp_path)
    for value, message in {
        "contat": "the nearest known is 'contact'",
        "contact & handgunners:draw": "a study keeps each by itself",
        "contact | draw": "a study keeps each by itself",
        "contact+draw": "does not exclude each other",
        "shooting_casualties>=2": 'keep = "all"',
        "boars:fleeing": 'keep = "all"',
    }.items():
        with pytest.raises(InputError) as caught:
            cs.read_study(tmp_path, [value])
        assert message in str(caught.value)
