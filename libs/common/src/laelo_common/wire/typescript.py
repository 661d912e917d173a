"""TypeScript types of the client protocol, made from the wire modules.

`python -m laelo_common.wire.typescript` writes `web/src/net/protocol.gen.ts`; `--print`
shows it instead. Annotations are read from the source, so that a named type keeps its
name (`Tile`, not `[number, number]`); everything else is asked of msgspec.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from laelo_common import wire
from laelo_common.errors import MEANINGS
from laelo_common.wire import championship, client, http, replay, server, table

TARGET = Path(__file__).resolve().parents[5] / "web" / "src" / "net" / "protocol.gen.ts"

SCALARS = {"str": "string", "int": "number", "float": "number", "bool": "boolean"}

HEADER = """\
// Made by `python -m laelo_common.wire.typescript`. Do not edit.
// A field with `?` is left out when it has its default value, which its comment names.
"""


def main(arguments: list[str]) -> int:
    """Write the file, or print it with `--print`."""
    if arguments == ["--print"]:
        sys.stdout.write(generate())
        return 0
    if arguments:
        sys.stderr.write("usage: python -m laelo_common.wire.typescript [--print]\n")
        return 2
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(generate(), encoding="utf-8")
    return 0


def generate() -> str:
    """The whole TypeScript module; the same text whenever the wire modules are the same."""
    parts = [HEADER, *_constants(), *_codes()]
    for module in (table, championship, client, server, http, replay):
        parts.extend(_module(module))
    return "\n".join(parts)


def _constants() -> Iterator[str]:
    """The numbers and close codes that both sides must know."""
    tree = ast.parse(inspect.getsource(wire))
    for node, after in pairwise(tree.body):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            yield _comment(_text(after)) + f"export const {name} = {getattr(wire, name)};\n"
    rows = "".join(f"  {code}: {_quoted(text)},\n" for code, text in server.CLOSE_CODES.items())
    yield (
        _comment("WebSocket close codes and what they mean.")
        + f"export const CLOSE_CODES = {{\n{rows}}} as const;\n"
    )


def _codes() -> Iterator[str]:
    """The codes of refusals, and whether the same may be asked again."""
    rows = "".join(
        f"  {code}: {_quoted(meaning.retry.name.lower())},\n" for code, meaning in MEANINGS.items()
    )
    yield (
        _comment(
            "Codes of refusals, and when the same command may be sent again: never, once what\n"
            "was missed has been read (after_sync), or after a pause (later)."
        )
        + f"export const CODES = {{\n{rows}}} as const;\n"
    )
    yield "export type Code = keyof typeof CODES;\n"


def _module(module: ModuleType) -> Iterator[str]:
    """The types of one wire module, in the order of its source."""
    body = ast.parse(inspect.getsource(module)).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if not name.isupper():
                yield (
                    _comment(_text(after)) + f"export type {name} = {_broken(_type(node.value))};\n"
                )
        elif isinstance(node, ast.ClassDef):
            made = _struct(node, getattr(module, node.name))
            if made:
                yield made


def _struct(node: ast.ClassDef, kind: type[msgspec.Struct]) -> str:
    """One struct as an interface; nothing for one that others are made from."""
    if kind.__subclasses__():
        return ""
    known = {field.name: field for field in msgspec.structs.fields(kind)}
    config = kind.__struct_config__
    lines = [] if config.tag is None else [f"  readonly {config.tag_field}: {_quoted(config.tag)};"]
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            field = known[item.target.id]
            default = "" if field.required else _default(field.default)
            mark = "" if field.required else "?"
            shape = _type(_without_none(item.annotation))
            lines.append(f"{default}  readonly {field.encode_name}{mark}: {shape};")
    comment = _comment(ast.get_docstring(node) or "")
    return comment + f"export interface {node.name} {{\n" + "\n".join(lines) + "\n}\n"


def _type(node: ast.expr) -> str:
    """A Python annotation in TypeScript."""
    match node:
        case ast.Name(id=name):
            return SCALARS.get(name, name)
        case ast.Constant(value=None):
            return "null"
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return f"{_type(left)} | {_type(right)}"
        case ast.Subscript(value=ast.Name(id=generic), slice=ast.Tuple(elts=items)):
            return _generic(generic, items)
        case ast.Subscript(value=ast.Name(id=generic), slice=item):
            return _generic(generic, [item])
    raise _unknown(ast.unparse(node), [])


def _generic(name: str, items: list[ast.expr]) -> str:
    """An annotation with arguments in TypeScript."""
    match name, items:
        case "Annotated", [inner, *_]:
            return _type(inner)
        case "Literal", _:
            return " | ".join(_quoted(ast.literal_eval(item)) for item in items)
        case "tuple", [one, ast.Constant(value=last)] if last is ...:
            return f"readonly {_item(one)}[]"
        case "tuple", _:
            return f"readonly [{', '.join(_type(item) for item in items)}]"
    raise _unknown(name, items)


def _unknown(name: str, items: list[ast.expr]) -> TypeError:
    return TypeError(f"no TypeScript for {name} {', '.join(map(ast.unparse, items))}".rstrip())


def _item(node: ast.expr) -> str:
    """The type of an array's items, in brackets where `readonly` would bind wrongly."""
    text = _type(node)
    return f"({text})" if " " in text else text


def _broken(text: str) -> str:
    """A long union, one line for each of its types."""
    return text if len(text) < 80 else "\n  | " + text.replace(" | ", "\n  | ")


def _without_none(node: ast.expr) -> ast.expr:
    """What is None in Python is left out of the frame."""
    if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
        return node.left
    return node


def _default(value: Any) -> str:
    """A comment that names the default, unless leaving out says it all."""
    if value is None:
        return ""
    return f"  /** {msgspec.json.encode(value).decode()} */\n"


def _text(node: ast.stmt | None) -> str:
    """The documentation that stands behind an assignment."""
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return ""


def _comment(text: str) -> str:
    """Documentation as a comment of TypeScript."""
    if not text:
        return ""
    lines = inspect.cleandoc(text).splitlines()
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def _quoted(value: object) -> str:
    """A string of TypeScript."""
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
