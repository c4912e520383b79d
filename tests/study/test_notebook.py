"""A study shows itself in a notebook: how it stands, and its ranking once there is one."""

from podium import Study


def test_a_study_shows_itself() -> None:
    study = Study.create("<b>x</b>", agents=["<i>", "b"], tasks=["t"], store="memory://")
    shown = study._repr_html_()
    assert "<caption>Study &lt;b&gt;x&lt;/b&gt;</caption>" in shown
    assert shown.count("<table>") == 1
    query = study.ask()
    assert query is not None
    study.tell(query, {"<i>": 1.0, "b": 0.0})
    shown = study._repr_html_()
    assert shown.count("<table>") == 2
    assert "&lt;i&gt;" in shown
    assert "<i>" not in shown
    study.store.close()
