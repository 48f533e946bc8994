import sys
import typing
from pathlib import Path

from zoetrope import AsyncZoetrope, Zoetrope, types

PACKAGE = Path(__file__).resolve().parent.parent


def test_what_is_written_by_tools_is_as_they_write_it_if_not_run_npm_run_generate() -> None:
    sys.path.insert(0, str(PACKAGE / "tools"))
    from write_client import BLOCKING, render_client
    from write_types import TYPES, render_types

    assert TYPES.read_text("utf-8") == render_types()
    assert BLOCKING.read_text("utf-8") == render_client()


def test_run_has_a_signature_for_every_model() -> None:
    for run in (Zoetrope.run, AsyncZoetrope.run):
        models = [one.__annotations__["model"] for one in typing.get_overloads(run)]
        assert models == [*(f"Literal['{name}']" for name in typing.get_args(types.ModelName)), "t.AnyModel"]
