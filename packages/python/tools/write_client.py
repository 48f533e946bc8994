"""Writes src/zoetrope/_blocking.py, the calls of the blocking client, from those of the asynchronous one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "zoetrope"
BLOCKING = PACKAGE / "_blocking.py"

HEADER = '''# Written from _resources.py and _core.py by tools/write_client.py: do not edit.
# ruff: noqa: E501, I001
"""The calls of the blocking client: each drives the asynchronous one in the calling thread."""

from __future__ import annotations
'''
# What is written by hand for either client, because its results differ.
BY_HAND = {"run", "complete", "batch"}
# The results that are made again for the blocking client, and by which function.
RESULTS = {"AsyncCompletedUpscale": ("CompletedUpscale", "upscaled")}

Method = ast.FunctionDef | ast.AsyncFunctionDef


def render_client() -> str:
    modules = {name: ast.parse((PACKAGE / f"{name}.py").read_text("utf-8")) for name in ("_resources", "_core", "_io")}
    written = []
    for node in modules["_resources"].body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Async"):
            written.append(render_class(node, node.name.removeprefix("Async"), set()))
    (core,) = [one for one in modules["_core"].body if isinstance(one, ast.ClassDef) and one.name == "Core"]
    written.append(render_class(core, "BlockingCore", BY_HAND))
    body = "\n\n\n".join(written)
    return HEADER + render_imports(body, modules) + "\n\n" + body + "\n"


def render_class(node: ast.ClassDef, name: str, without: set[str]) -> str:
    lines = [f"class {name}:"]
    about = ast.get_docstring(node)
    if about:
        lines.append(docstring(about, 4))
    assigned = [f"    {ast.unparse(one)}" for one in node.body if isinstance(one, ast.Assign)]
    lines += ["", *assigned] if assigned else []
    lines += ["", f"    def __init__(self, calls: {node.name}) -> None:", "        self._calls = calls"]
    for method in node.body:
        if not isinstance(method, Method) or method.name in without:
            continue
        if method.name == "__call__" or not method.name.startswith("_"):
            lines += ["", *render_method(method)]
    return "\n".join(lines) if about else "\n".join(lines).replace(":\n\n", ":\n", 1)


def render_method(method: Method) -> Iterator[str]:
    assert method.returns is not None, method.name
    given = method.args
    returns = ast.unparse(method.returns)
    blocking = re.sub(r"AsyncGenerator\[(.*), None\]$", r"Generator[\1, None, None]", returns)
    result, convert = RESULTS.get(returns, (blocking, None))
    positional = [one.arg for one in given.args if one.arg != "self"]
    passed = [*positional, *(f"{one.arg}={one.arg}" for one in given.kwonlyargs)]
    if given.kwarg is not None:
        passed.append(f"**{given.kwarg.arg}")
    called = "self._calls" if method.name == "__call__" else f"self._calls.{method.name}"
    call = f"{called}({', '.join(passed)})"
    if blocking != returns:
        call = f"iterate({call})"
    elif isinstance(method, ast.AsyncFunctionDef):
        call = f"drive({call})"
    if convert is not None:
        call = f"{convert}({call})"
    yield f"    def {method.name}({ast.unparse(given)}) -> {result}:"
    about = ast.get_docstring(method)
    if about:
        yield docstring(about, 8)
    yield f"        return {call}"


def docstring(text: str, spaces: int) -> str:
    first, *others = text.split("\n")
    indent = " " * spaces
    lines = [f'{indent}"""{first}', *(f"{indent}{line}".rstrip() for line in others)]
    return "\n".join(lines) + ('"""' if not others else f'\n{indent}"""')


def render_imports(body: str, modules: dict[str, ast.Module]) -> str:
    """The imports of every name that the text uses, from where the asynchronous modules have it."""
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    found: dict[str, tuple[str, str]] = {}
    for module, tree in modules.items():
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module != "__future__":
                source = "." * node.level + (node.module or "")
                for one in node.names:
                    found.setdefault(one.asname or one.name, (source, ast.unparse(one)))
            elif isinstance(node, ast.ClassDef | ast.FunctionDef):
                found[node.name] = (f".{module}", node.name)
            elif isinstance(node, ast.Assign):
                found |= {ast.unparse(one): (f".{module}", ast.unparse(one)) for one in node.targets}
    for result, convert in RESULTS.values():
        found |= {name: ("._outputs", name) for name in (result, convert)}
    names: dict[str, list[str]] = {}
    for source, name in sorted(found[one] for one in used if one in found):
        names.setdefault(source, []).append(name)
    lines = [f"from {source} import {', '.join(of)}" for source, of in names.items()]
    absolute = [line for line in lines if not line.startswith("from .")]
    relative = [line for line in lines if line.startswith("from .")]
    return "\n" + "\n".join([*absolute, "", *relative]) + "\n"


if __name__ == "__main__":
    BLOCKING.write_text(render_client(), "utf-8")
