"""The page on which one says who one is."""

import html
from collections.abc import Mapping
from typing import Final

STYLE: Final = """body{font:1.1rem/1.5 system-ui,sans-serif;margin:0;background:#f6f1e7;color:#222}
strong{display:block;padding:.75rem 1rem;background:#8a1c1c;color:#fff}
form{margin:3rem auto;max-width:22rem;padding:0 1rem;display:grid;gap:.75rem}
input,button{font:inherit;padding:.6rem;min-height:2.75rem;box-sizing:border-box;width:100%}
"""

_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Development sign-in</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="{style}">
<strong>Development sign-in: no password, only on this machine.</strong>
<form method="post" action="{action}">{hidden}
<label>Who are you?<input name="subject" required maxlength="64" autofocus
 autocomplete="off" spellcheck="false"></label>
<button>Sign in</button>
<button name="deny" value="yes" formnovalidate>Cancel</button></form>
"""


def page(base: str, asked: Mapping[str, str]) -> str:
    """The form; it sends back what was asked for, and who it is."""
    hidden = "".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
        for name, value in asked.items()
    )
    return _PAGE.format(style=f"{base}/style.css", action=f"{base}/authorize", hidden=hidden)
