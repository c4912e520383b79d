"""Text from data, made harmless to terminals, spreadsheets and Markdown."""

import unicodedata

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories that are not seen as they are, or that steer what displays them."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def visible(text: str) -> str:
    r"""Write out every character that a terminal would obey, or show as nothing.

    >>> visible("\x1b[31mred\x1b[0m \u202eback")
    '\\x1b[31mred\\x1b[0m \\u202eback'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        letter.encode("unicode_escape").decode() if _hidden(letter) else letter for letter in text
    )


def _hidden(letter: str) -> bool:
    return unicodedata.category(letter) in HIDDEN


def for_sheet(text: str) -> str:
    """Keep a spreadsheet from running text as a formula, by a quote before it.

    >>> for_sheet("=1+1"), for_sheet("+gpt"), for_sheet("gpt-4")
    ("'=1+1", "'+gpt", 'gpt-4')
    """
    return "'" * text.startswith(FORMULA_STARTS) + visible(text)


def for_markdown(text: str) -> str:
    r"""Keep Markdown from reading text as its own signs.

    >>> for_markdown("a|b *c*")
    'a\\|b \\*c\\*'
    """
    return "".join(f"\\{letter}" if letter in "\\|*`[]<>&" else letter for letter in visible(text))
