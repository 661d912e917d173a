"""The TypeScript types are those of the wire modules, and nobody forgot to write them anew."""

import ast
import re
import typing

import msgspec
import pytest
from laelo_common.errors import Code
from laelo_common.wire import client, server, table, typescript

FRAMES = [
    *typing.get_args(client.ClientFrame),
    *typing.get_args(server.ServerFrame),
    *typing.get_args(table.TableEvent),
]


def test_written_file_is_up_to_date() -> None:
    """Set-up writes it; run `python -m laelo_common.wire.typescript` after changing the wire."""
    assert typescript.TARGET.read_text(encoding="utf-8") == typescript.generate()


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.__name__)
def test_every_frame_has_an_interface_with_its_tag_and_fields(frame: type[msgspec.Struct]) -> None:
    text = typescript.generate()
    found = re.search(rf"export interface {frame.__name__} {{\n(.*?)\n}}", text, re.DOTALL)
    assert found is not None
    config = frame.__struct_config__
    assert f'readonly {config.tag_field}: "{config.tag}";' in found[1]
    for field in msgspec.structs.fields(frame):
        mark = "" if field.required else r"\?"
        assert re.search(rf"readonly {field.encode_name}{mark}: ", found[1])


def test_no_name_is_exported_twice() -> None:
    names = re.findall(r"export (?:type|interface|const) (\w+)", typescript.generate())
    assert len(names) == len(set(names))


def test_every_named_type_is_exported() -> None:
    text = re.sub(r"/\*\*.*?\*/|//[^\n]*|\"[^\"]*\"", "", typescript.generate(), flags=re.DOTALL)
    exported = set(re.findall(r"export (?:type|interface|const) (\w+)", text))
    used = set(re.findall(r"\b[A-Z][a-z]\w*", text))
    assert used <= exported


def test_codes_say_when_to_ask_again() -> None:
    text = typescript.generate()
    for code in Code:
        assert f'  {code}: "{code.meaning.retry.name.lower()}",' in text


def test_unknown_annotation_is_an_error() -> None:
    node = ast.parse("dict[str, int]", mode="eval").body
    with pytest.raises(TypeError, match="dict"):
        typescript._type(node)
