"""Whatever a name holds, it is text in a report and nothing else, in each of the three forms."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.data.ratings import Ranking
from podium.errors import DataError
from podium.plots import ranks
from podium.report import html, latex, markdown
from podium.report.document import Block, Command, Document, Figure, Points, Prose, Section, Table
from podium.report.writing import FORMS, written

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><svg onload=alert(1)>",
    "x' onfocus='alert(1)",
    "a|b `c` *d* [e](javascript:f)",
    r"\input{secret} $x^2$ 50% #1 & ~_^",
    "\\",
    "&lt;b&gt;",
    "javascript:alert(1)",
    "two\nlines\r\n# heading",
    "]]> -->",
    "\u202eback\x1b[31m",
]


def everywhere(name: str) -> Document:
    """Put a name wherever a report can hold one."""
    ranking = Ranking("borda", ((name,), ("b",)), {name: 1.0, "b": 0.0})
    blocks: list[Block] = [
        Prose(name),
        Points([name]),
        Command(f"podium rank {name}"),
        Table(name, [name, "number"], [[name, 1.0]]),
        Figure(name, lambda: ranks.draw(ranks.x_data(ranking), name)),
    ]
    return Document(name, [name], [Section(name, blocks)])


class Reader(HTMLParser):
    """Notes what a browser would find."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    return reader


PLAIN = read(html.page(everywhere("plain"))).tags


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_becomes_a_part_of_the_page(name: str) -> None:
    found = read(html.page(everywhere(name)))
    assert found.tags == PLAIN
    assert not {"script", "img", "iframe", "a"} & (found.tags - {"a"})
    assert not [key for key, _ in found.attributes if key.startswith("on")]
    links = [value or "" for key, value in found.attributes if key in ("href", "src", "xlink:href")]
    assert all(link.startswith("#") for link in links)
    if name.isprintable():
        assert found.texts.count(name) >= 6


def test_the_page_may_load_nothing() -> None:
    text = html.page(everywhere("a"))
    assert "default-src 'none'" in text
    loads = re.findall(r"""(?:src=|href=|url\()["']?([^"'#)\s][^"')\s]*)""", text)
    assert loads == []


def test_pictures_keep_their_parts_apart() -> None:
    document = everywhere("a")
    twice = Document("", [], [*document.sections, *document.sections])
    ids = re.findall(r'\bid="([^"]+)"', html.page(twice))
    assert len(ids) == len(set(ids))
    assert {"s0", "s1"} <= set(ids)


def test_without_blocks_a_section_is_left_out() -> None:
    document = Document("t", [], [Section("empty", []), Section("full", [Prose("x")])])
    for form in FORMS:
        assert "empty" not in written(document, form)
        assert "full" in written(document, form)


def test_without_the_extra_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "altair", None)
    text = html.page(everywhere("a"))
    assert "pip install &#x27;podium[plots]&#x27;" in text
    assert "<svg" not in text


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_keeps_its_shape(name: str) -> None:
    lines = markdown.page(everywhere(name)).splitlines()
    plain = markdown.page(everywhere("plain")).splitlines()
    assert len(lines) - name.count("\n") * 1 == len(plain)  # a command keeps its lines
    (rule,) = [place for place, line in enumerate(lines) if line.startswith("| --- |")]
    for row in (lines[rule - 1], lines[rule + 1]):
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 3
    assert not any("<" in re.sub(r"\\.", "", line) for line in lines if not line.startswith("    "))


@given(st.text(max_size=30))
def test_latex_sees_no_sign_of_a_name(name: str) -> None:
    text = latex.for_latex(name)
    known = [re.escape(sign) for sign in sorted(latex.SIGNS.values(), key=len, reverse=True)]
    rest = re.sub("|".join([*known, r"-\{\}-\{\}"]), "", text)
    assert not set(rest) & set("\\{}$&#%_^~<>|\"`'[]")
    assert "--" not in text
    assert rest.isprintable()


@pytest.mark.parametrize("name", HOSTILE)
def test_latex_rows_keep_their_columns(name: str) -> None:
    text = latex.page(everywhere(name))
    row = next(line for line in text.splitlines() if line.endswith(r"& 1 \\"))
    assert len(re.findall(r"(?<!\\)&", row)) == 1
    assert text.count(r"\begin{") == text.count(r"\end{") == 3


def test_long_and_wide_tables_are_set_for_paper() -> None:
    rows = [[float(n)] * 12 for n in range(latex.LONG + 1)]
    document = Document("t", [], [Section("s", [Table("c", [f"h{n}" for n in range(12)], rows)])])
    text = latex.page(document)
    assert r"\begin{longtable}{rrrrrrrrrrrr}" in text
    assert r"\rotatebox{90}{h3}" in text
    assert text.count(r" \\") == len(rows) + 1


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(DataError, match="'docx'"):
        written(Document("t", [], []), "docx")
