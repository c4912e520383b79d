"""`POST /rank`: files of strangers."""

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from commands import run
from podium.errors import DataError
from podium.server import uploads

Client = TestClient[Any]
CSV = b"task,agent,score\nt,a,1\nt,b,2\nu,a,3\nu,b,1\n"


def refused(answer: Any, status: int, field: str = "") -> str:
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error.get("field", "") == field
    assert "/tmp" not in answer.text
    return str(error["message"])


def test_a_file_in_and_a_ranking_out(client: Client, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(CSV)
    printed = run(
        "rank", str(tmp_path / "x.csv"), "--method=borda", "--format=json", "--intervals=none"
    )
    wanted = json.loads(printed.stdout)
    raw = client.post("/api/v1/rank?filename=x.csv&method=borda", content=CSV)
    form = client.post(
        "/api/v1/rank?method=borda", files={"file": ("../../x.csv.gz", gzip.compress(CSV))}
    )
    typed = client.post(
        "/api/v1/rank?method=borda", content=CSV, headers={"Content-Type": "text/csv"}
    )
    for answer in (raw, form, typed):
        assert answer.status_code == 200, answer.text
        found = answer.json()
        assert found["schema"] == "podium.rank/1"
        assert found["results"][0]["ranking"] == wanted["results"][0]["ranking"]
    many = client.post("/api/v1/rank?filename=x.csv&method=borda&method=approval:k=1", content=CSV)
    assert [result["method"] for result in many.json()["results"]] == ["borda", "approval"]


def test_what_is_wrong_is_told(client: Client) -> None:
    post = client.post
    assert "line 2" in refused(
        post("/api/v1/rank?filename=x.csv", content=b"task,agent,score\nt,a,x\n"), 422, "file"
    )
    assert "copeland" in refused(
        post("/api/v1/rank?filename=x.csv&method=copland", content=CSV), 422, "file"
    )
    refused(post("/api/v1/rank", content=CSV), 422, "filename")
    refused(post("/api/v1/rank?filename=x.exe", content=CSV), 422, "filename")
    refused(post("/api/v1/rank?filename=x.csv&kind=nothing", content=CSV), 422, "kind")
    refused(post("/api/v1/rank?filename=x.csv&seed=-1", content=CSV), 422, "seed")
    refused(post("/api/v1/rank?filename=x.csv&method=%00", content=CSV), 422, "method")
    refused(post("/api/v1/rank", files={"a": ("a.csv", CSV), "b": ("b.csv", CSV)}), 422, "file")
    refused(post("/api/v1/rank?filename=x.csv", content=b""), 422, "file")


NAMES = ["", "x", "csv", "x.exe", "x.csv\0", "..", "/etc/passwd", "x.gz", "x.zip"]


@pytest.mark.parametrize("name", NAMES)
def test_endings_that_are_not_taken(name: str) -> None:
    with pytest.raises(DataError, match="endings"):
        uploads.ending_of(name)


def zipped(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../evil.npy", content)
    return file.getvalue()


@pytest.mark.parametrize("ending", ["csv.gz", "npz", "eval"])
def test_bombs_are_refused(client: Client, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    monkeypatch.setattr(uploads, "UNPACKED_LIMIT", 1 << 20)
    zeros = bytes(2 << 20)
    bomb = gzip.compress(zeros) if ending == "csv.gz" else zipped(zeros)
    told = refused(client.post(f"/api/v1/rank?filename=x.{ending}", content=bomb), 422, "file")
    assert "unpacks to more" in told


@pytest.mark.parametrize("ending", ["csv.gz", "npz", "eval", "parquet", "json"])
def test_damaged_files_are_refused(client: Client, ending: str) -> None:
    refused(
        client.post(f"/api/v1/rank?filename=x.{ending}", content=b"\x1f\x8bPK rubbish"), 422, "file"
    )


def test_files_that_are_too_large(client: Client) -> None:
    def blocks() -> Any:
        for _ in range(65):
            yield bytes(1 << 20)

    refused(client.post("/api/v1/rank?filename=x.csv", content=blocks()), 413)


def test_a_ranking_that_needs_too_much_is_stopped(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MEMORY", 1 << 20)
    told = refused(client.post("/api/v1/rank?filename=x.csv", content=CSV), 422, "file")
    assert told
