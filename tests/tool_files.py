"""Result files of evaluation tools, written in the layout that the tools publish."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LOGS = Path(__file__).parent / "importers" / "tools" / "logs"
"""Genuine logs; what made them stands in its README."""


def write_json(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def write_lines(path: Path, rows: Sequence[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def lm_results(
    model: str, results: Mapping[str, Mapping[str, object]], **more: Any
) -> dict[str, Any]:
    """Results of lm-evaluation-harness as version 0.4.13 writes them."""
    blocks = {
        task: {"name": task, "alias": task, "sample_len": 4, **block}
        for task, block in results.items()
    }
    return {
        "results": blocks,
        "group_subtasks": {},
        "configs": {},
        "versions": dict.fromkeys(results, 1.0),
        "n-shot": dict.fromkeys(results, 0),
        "higher_is_better": {},
        "n-samples": {},
        "config": {"model": "hf", "model_args": {"pretrained": model}, "limit": None},
        "date": 1000.0,
        "model_name": model,
        "total_evaluation_time_seconds": "1.5",
        **more,
    }


def lm_sample(number: int, mark: str, name: str = "none", **scores: object) -> dict[str, Any]:
    """One document under one filter."""
    return {
        "doc_id": number,
        "doc": {},
        "resps": [],
        "filter": name,
        "metrics": list(scores),
        "doc_hash": mark,
        **scores,
    }


def inspect_sample(
    name: str | int, value: object, *, epoch: int = 1, **more: Any
) -> dict[str, Any]:
    """A sample of Inspect, as the summaries hold it, scored by `match`."""
    scores = {"match": {"value": value, "answer": "", "history": []}}
    return {"id": name, "epoch": epoch, "input": "", "target": "", "scores": scores, **more}


def inspect_log(
    model: str, samples: Sequence[Mapping[str, Any]], accuracy: object, **more: Any
) -> dict[str, Any]:
    """A log of Inspect with one scorer; what is in `eval` is changed by `about`."""
    about = more.pop("about", {})
    reported = {
        "accuracy": {"name": "accuracy", "value": accuracy, "params": {}},
        "stderr": {"name": "stderr", "value": 0.1, "params": {}},
    }
    score = {"name": "match", "scorer": "match", "params": {}, "metrics": reported}
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": "e",
            "run_id": "r",
            "created": "2026-01-01T00:00:00+00:00",
            "task": "sums",
            "task_id": "t",
            "task_args_passed": {},
            "dataset": {"name": "sums", "samples": len({sample["id"] for sample in samples})},
            "model": model,
            "config": {"epochs": 1},
            "scorers": [{"name": "match", "metrics": [{"name": "inspect_ai/accuracy"}]}],
            **about,
        },
        "results": {"total_samples": len(samples), "scores": [score]},
        "samples": list(samples),
        **more,
    }


def write_eval(
    path: Path, log: Mapping[str, Any], *, method: int = zipfile.ZIP_DEFLATED, killed: bool = False
) -> Path:
    """Write a log as an archive; one that was killed has a journal and no header."""
    head = {name: value for name, value in log.items() if name != "samples"}
    start = {name: log[name] for name in ("version", "eval")}
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("_journal/start.json", json.dumps(start))
        for number, sample in enumerate(log["samples"], start=1):
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
            archive.writestr(f"_journal/summaries/{number}.json", json.dumps([sample]))
        if not killed:
            archive.writestr("summaries.json", json.dumps(log["samples"]))
            archive.writestr("header.json", json.dumps(head))
    return path


def helm_stat(name: str, mean: float | None, split: str = "test", **more: object) -> dict[str, Any]:
    """One statistic of HELM; what has no value is not written."""
    stat = {"name": {"name": name, "split": split, **more}, "count": 0 if mean is None else 1}
    return stat if mean is None else {**stat, "sum": mean, "mean": mean}


def write_helm(
    folder: Path,
    scenario: str,
    model: str,
    stats: Sequence[Mapping[str, Any]],
    instances: Sequence[Mapping[str, Any]] = (),
    **more: Any,
) -> Path:
    """Write a run of HELM, all five files of it."""
    name = f"{scenario}{',' if ':' in scenario else ':'}model={model.replace('/', '_')}"
    run = folder / name
    names = {"args": {"names": ["exact_match", "f1_score"]}}
    spec = {
        "name": name,
        "adapter_spec": {"model": model, "model_deployment": model},
        "metric_specs": [{"class_name": "Basic", **names}],
        "groups": [scenario.partition(":")[0]],
        **more,
    }
    write_json(run / "run_spec.json", spec)
    write_json(run / "scenario.json", {})
    write_json(run / "scenario_state.json", {})
    write_json(run / "stats.json", list(stats))
    write_json(run / "per_instance_stats.json", list(instances))
    return run


def helm_instance(
    name: str, stats: Sequence[Mapping[str, Any]], trial: int = 0, **more: object
) -> dict[str, Any]:
    """The statistics of one instance."""
    return {"instance_id": name, "train_trial_index": trial, "stats": list(stats), **more}


def battle(a: str, b: str, winner: str, number: int = 1, **more: object) -> dict[str, Any]:
    """A battle as Chatbot Arena publishes it."""
    return {
        "question_id": f"q{number}",
        "model_a": a,
        "model_b": b,
        "winner": winner,
        "judge": "arena_user_1",
        "turn": 1,
        "anony": True,
        "language": "English",
        "tstamp": 1682351591.13 + number,
        **more,
    }


def annotation(model: str, preference: object, number: int = 1, **more: object) -> dict[str, Any]:
    """An annotation of AlpacaEval against one baseline."""
    return {
        "dataset": "koala",
        "instruction": f"Do {number}.",
        "output_1": "",
        "generator_1": "base",
        "output_2": "",
        "generator_2": model,
        "annotator": "judge",
        "preference": preference,
        **more,
    }


def judgment(model: str, score: object, question: str = "q1", **more: object) -> dict[str, Any]:
    """A judgment of LiveBench."""
    return {
        "question_id": question,
        "task": "sums",
        "model": model,
        "score": score,
        "turn": 1,
        "tstamp": 1.0,
        "category": "math",
        **more,
    }


def verdict(first: str, second: str, question: int = 81, **more: object) -> dict[str, Any]:
    """A judgment of MT-bench on the pair ann and bob."""
    return {
        "question_id": question,
        "model_1": "ann",
        "model_2": "bob",
        "g1_winner": first,
        "g2_winner": second,
        "judge": ["gpt-4", "pair-v2"],
        "turn": 1,
        "tstamp": 5.0,
        **more,
    }


def grade(model: str, score: object, question: int = 81, turn: int = 1) -> dict[str, Any]:
    """A judgment of MT-bench on one answer."""
    return {
        "question_id": question,
        "model": model,
        "judge": ["gpt-4", "single-v1"],
        "user_prompt": "",
        "judgment": "",
        "score": score,
        "turn": turn,
        "tstamp": 5.0,
    }


def pgn(white: str, black: str, result: str, round_: str = "1", moves: str = "1. e4 e5") -> str:
    """Write one game."""
    tags = {
        "Event": "Gauntlet",
        "Site": "?",
        "Date": "2026.01.31",
        "Round": round_,
        "White": white,
        "Black": black,
        "Result": result,
    }
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{head}\n{moves} {result}\n\n"


def fastchess(stats: Mapping[str, Mapping[str, int]], *engines: str) -> dict[str, Any]:
    """The config.json of fastchess."""
    return {"engines": [{"name": name} for name in engines], "event": "x", "stats": dict(stats)}
