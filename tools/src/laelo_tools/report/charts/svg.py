"""The few elements of SVG that the pictures are made of."""

from collections.abc import Iterable
from html import escape
from typing import Final

WIDTH: Final = 360


def tag(name: str, *inside: str, **attributes: object) -> str:
    """An element; `class_` is class, `font_size` font-size."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_told(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{told}>{''.join(inside)}</{name}>"


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> str:
    """A line of text; `anchor` start, middle or end."""
    return tag("text", escape(words), x=x, y=y, class_=class_ or None, text_anchor=anchor)


def rect(x: float, y: float, width: float, height: float, **more: object) -> str:
    """A rectangle, never narrower than nothing."""
    return tag("rect", x=x, y=y, width=max(width, 0.0), height=max(height, 0.0), **more)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def picture(height: float, title: str, inside: Iterable[str]) -> str:
    """A whole picture; `title` is what is told to who does not see it."""
    box = f"0 0 {WIDTH} {_told(height)}"
    return tag("svg", *inside, viewBox=box, role="img", aria_label=title)


def _told(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
