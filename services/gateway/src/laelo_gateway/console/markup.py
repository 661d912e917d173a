"""HTML that is escaped by how it is made: text becomes markup only through `el`."""

import html
from collections.abc import Iterable
from typing import Final

_EMPTY: Final = frozenset(("br", "input", "link", "meta"))

Attribute = str | int | bool | None


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: str | Markup) -> Markup:
    """Something as markup: what is none yet is escaped."""
    return value if isinstance(value, Markup) else Markup(html.escape(value))


def join(parts: Iterable[str | Markup | None]) -> Markup:
    """Parts one after another; None is left out."""
    return Markup("".join(text(part) for part in parts if part is not None))


def el(tag: str, /, *children: str | Markup | None, **attributes: Attribute) -> Markup:
    """An element. `class_` is class, `aria_label` is aria-label; True stands alone, False and
    None are left out.
    """
    told = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        told.append(f" {key.rstrip('_').replace('_', '-')}")
        if value is not True:
            told.append(f'="{html.escape(str(value))}"')
    start = f"<{tag}{''.join(told)}>"
    return Markup(start if tag in _EMPTY else f"{start}{join(children)}</{tag}>")
