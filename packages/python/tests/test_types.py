import sys
import typing
from pathlib import Path

from zoetrope import AsyncZoetrope, Zoetrope, types

PACKAGE = Path(__file__).resolve().parent.parent


def test_the_types_are_those_of_the_openapi_document_if_not_run_tools_write_types() -> None:
    sys.path.insert(0, str(PACKAGE / "tools"))
    from write_types import TYPES, render_types

    assert TYPES.read_text("utf-8") == render_types()


def test_run_has_a_signature_for_every_model() -> None:
    for run in (Zoetrope.run, AsyncZoetrope.run):
        models = [one.__annotations__["model"] for one in typing.get_overloads(run)]
        assert models == [f"Literal['{name}']" for name in typing.get_args(types.ModelName)]
