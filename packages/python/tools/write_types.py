"""Writes src/zoetrope/types.py from docs/generated/openapi.json."""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
DOCUMENT = PACKAGE.parent.parent / "docs" / "generated" / "openapi.json"
TYPES = PACKAGE / "src" / "zoetrope" / "types.py"

# A protocol of its own.
WITHOUT_TYPES = ["callMcp"]

HEADER = '''# Written from the OpenAPI document by tools/write_types.py: do not edit.
# ruff: noqa: E501, I001
"""The requests and responses of the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NewType, NotRequired, TypedDict, Union

from ._file_like import FileLike, Made

'''

UPSCALE_REQUEST = '''class UpscaleRequest(TypedDict):
    """An upscale of a batch."""

    source: str | FileLike | Made
    targetResolution: Literal["1080p", "2k", "4k"]
    callBackUrl: NotRequired[str | None]
    maxCredits: NotRequired[int | None]
    idempotencyKey: NotRequired[str]'''

WEBHOOK_EVENT = '''class GenerationEvent(TypedDict):
    type: Literal["generation.completed", "generation.failed"]
    # ISO 8601.
    timestamp: str
    data: GenerationTask

class UpscaleEvent(TypedDict):
    type: Literal["upscale.completed", "upscale.failed"]
    timestamp: str
    data: UpscaleTask

class ReviewedAsset(TypedDict):
    assetId: int
    upstreamAssetId: str
    status: Literal["NONE", "PROCESSING", "ACTIVE", "FAILED"]
    failReason: str | None

class AssetEvent(TypedDict):
    type: Literal["asset.reviewed"]
    timestamp: str
    data: ReviewedAsset

class LowCredits(TypedDict):
    credits: int
    availableCredits: int
    creditsLow: int

class CreditsEvent(TypedDict):
    type: Literal["credits.low"]
    timestamp: str
    data: LowCredits

class LowBudget(TypedDict):
    keyId: str
    name: str
    hint: str
    percent: int
    creditsMax: int
    creditsLeft: int

class BudgetEvent(TypedDict):
    type: Literal["key.budget_low"]
    timestamp: str
    data: LowBudget

# What an endpoint is sent. A `callBackUrl` is sent the task itself.
WebhookEvent = Union[GenerationEvent, UpscaleEvent, AssetEvent, CreditsEvent, BudgetEvent]'''

ANY_MODEL = """# The name of a model that is newer than this client: `client.run(AnyModel("sd3"), {...})`.
AnyModel = NewType("AnyModel", str)"""

Schema = dict[str, Any]
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Writer:
    def __init__(self, document: Schema) -> None:
        self.document = document
        self.components: dict[str, Schema] = document["components"]["schemas"]
        self.written: dict[str, str] = {}
        self.media: dict[str, str] = {}

    def type_of(self, schema: Schema, name: str) -> str:
        """The Python type of a schema; what needs a name of its own is called `name`."""
        if "$ref" in schema:
            return self.component(schema["$ref"].rsplit("/", 1)[1])
        for combination in ("anyOf", "oneOf"):
            if combination in schema:
                variants = schema[combination]
                several = sum("properties" in one for one in variants) > 1
                names = (f"{name}{number}" if several else name for number in range(1, len(variants) + 1))
                return union(map(self.type_of, variants, names))
        if "const" in schema:
            return f"Literal[{quoted(schema['const'])}]"
        if "enum" in schema:
            return f"Literal[{', '.join(quoted(value) for value in schema['enum'])}]"
        kind = schema.get("type")
        if isinstance(kind, list):
            return union(self.type_of({**schema, "type": one}, name) for one in kind)
        if kind == "array":
            return self.array(schema, name)
        if kind == "object":
            return self.object(schema, name)
        return PLAIN.get(kind or "", "Any")

    def array(self, schema: Schema, name: str) -> str:
        item = self.type_of(schema.get("items", {}), name)
        if schema.get("x-control") == "files":
            return f"Sequence[{item} | FileLike | Made]"
        return f"list[{item}]"

    def object(self, schema: Schema, name: str) -> str:
        if "properties" not in schema:
            more = schema.get("additionalProperties")
            value = self.type_of(more, f"{name}Value") if isinstance(more, dict) else "Any"
            return f"Mapping[str, {value}]"
        if name not in self.written:
            self.written[name] = ""  # keeps its place below what it refers to
            text = self.typed_dict(schema, name)
            del self.written[name]
            self.written[name] = text
        return name

    def component(self, name: str) -> str:
        return self.type_of(self.components[name], name)

    def typed_dict(self, schema: Schema, name: str) -> str:
        required = set(schema.get("required", []))
        fields: list[tuple[str, str, str]] = []
        for field, inner in schema["properties"].items():
            if inner.get("x-control") == "files":
                self.note_media(field, inner["x-media"]["type"].upper())
            kind = self.type_of(inner, name + field[0].upper() + field[1:])
            if field == "duration" and kind == "str":
                kind = "str | int"
            fields.append(
                (field, kind if field in required else f"NotRequired[{kind}]", inner.get("description", ""))
            )
        if "duration" in schema["properties"] and name.endswith("Input"):
            # The client knows what the model calls it.
            fields.append(("aspectRatio", "NotRequired[str]", "Such as 16:9, in place of the model's own input."))
        about = schema.get("description", "")
        if any(not is_name(field) for field, _, _ in fields):
            lines = [comment(about, ""), f'{name} = TypedDict("{name}", {{']
            lines += [f"    {quoted(field)}: {kind}," for field, kind, _ in fields]
            return "\n".join([*filter(None, lines), "})"])
        lines = [f"class {name}(TypedDict):"]
        if about:
            lines += [docstring(about), ""]
        for field, kind, text in fields:
            lines += [*filter(None, [comment(text, "    ")]), f"    {field}: {kind}"]
        return "\n".join(lines if fields else [*lines, "    pass"])

    def note_media(self, field: str, kind: str) -> None:
        assert self.media.setdefault(field, kind) == kind, field

    def query(self, name: str, parameters: list[Schema]) -> None:
        """Keyword arguments: `from` becomes `from_`, and all are optional."""
        lines = [f"class {name}(TypedDict, total=False):"]
        for parameter in parameters:
            field = snake(parameter["name"])
            kind = self.type_of(parameter["schema"], name + parameter["name"].capitalize())
            lines += [*filter(None, [comment(parameter.get("description", ""), "    ")]), f"    {field}: {kind}"]
        self.written[name] = "\n".join(lines)

    def operation(self, operation: Schema) -> None:
        name = operation["operationId"][0].upper() + operation["operationId"][1:]
        query = [one for one in operation.get("parameters", []) if one["in"] == "query"]
        if query and not any(one.get("required") for one in query):
            self.query(f"{name}Query", query)
        self.type_of(operation["responses"]["200"]["content"]["application/json"]["schema"], f"{name}Answer")
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if "properties" in body:
            self.type_of(body, f"{name}Body")

    def render(self) -> str:
        by_id = {one["operationId"]: one for path in self.document["paths"].values() for one in path.values()}
        for name, operation in by_id.items():
            if is_for_keys(operation) and name not in WITHOUT_TYPES:
                self.operation(operation)
        self.component("DeclarationInput")
        body = by_id["createTask"]["requestBody"]["content"]["application/json"]["schema"]
        requests = [one["$ref"].rsplit("/", 1)[1] for one in body.get("oneOf", body.get("anyOf"))]
        models = [self.components[name]["properties"]["model"]["const"] for name in requests]
        for name in requests:
            self.component(name)
        parts = list(self.written.values())
        for name in requests:
            modes = self.type_of(self.components[name]["properties"]["inputs"], "")
            parts.append(f"{inputs_name(name)} = {modes}")
        parts.append(f"TaskRequest = {union(requests)}")
        parts.append(UPSCALE_REQUEST)
        parts.append(WEBHOOK_EVENT)
        parts.append(ANY_MODEL)
        parts.append(f"ModelName = Literal[{', '.join(map(quoted, models))}]")
        parts.append('AssetType = Literal["IMAGE", "AUDIO", "VIDEO"]')
        table = ", ".join(f"{quoted(field)}: {quoted(kind)}" for field, kind in sorted(self.media.items()))
        parts.append(
            "# The inputs that name files; each also takes the file itself.\n"
            f"FILE_INPUTS: Mapping[str, AssetType] = {{{table}}}"
        )
        return HEADER + "\n\n".join(parts) + "\n"


def is_for_keys(operation: Schema) -> bool:
    """Whether a key may call it: the client has no session."""
    return any("key" in one for one in operation["security"])


def inputs_name(request: str) -> str:
    return request.removesuffix("TaskInput") + "Inputs"


def union(types: Iterable[str]) -> str:
    unique = list(dict.fromkeys(types))
    flat = [one for one in unique if one != "None"]
    if len(flat) == 1 and len(unique) == 1:
        return flat[0]
    if "None" in unique and len(flat) == 1:
        return f"{flat[0]} | None"
    return f"Union[{', '.join([*flat, *(['None'] if 'None' in unique else [])])}]"


def quoted(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def snake(name: str) -> str:
    text = re.sub(r"([A-Z])", lambda match: "_" + match.group(1).lower(), name)
    return f"{text}_" if keyword.iskeyword(text) else text


def docstring(text: str) -> str:
    lines = textwrap.wrap(text.replace("\\", "\\\\"), 96)
    if len(lines) == 1:
        return f'    """{lines[0]}"""'
    return "\n".join([f'    """{lines[0]}', *(f"    {line}" for line in lines[1:]), '    """'])


def comment(text: str, indent: str) -> str:
    return "\n".join(f"{indent}# {line}" for line in textwrap.wrap(text, 96))


def render_types() -> str:
    return Writer(json.loads(DOCUMENT.read_text("utf-8"))).render()


if __name__ == "__main__":
    TYPES.write_text(render_types(), "utf-8")
