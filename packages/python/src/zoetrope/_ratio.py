"""`aspectRatio` for every model, whatever its own input is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import ZoetropeError

_SIZES = {
    "16:9": "1280x720",
    "9:16": "720x1280",
    "1:1": "720x720",
    "4:3": "960x720",
    "3:4": "720x960",
    "21:9": "1280x540",
}
_INPUTS = {"sd2": "resolution", "sd2-fast": "resolution", "happyhorse": "ratio"}


def own_inputs(model: Any, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the inputs as the service takes them: `aspectRatio` by the model's name for it, seconds as text."""
    duration = inputs.get("duration")
    if isinstance(duration, int) and not isinstance(duration, bool):
        inputs = {**inputs, "duration": str(duration)}
    own = _INPUTS.get(model)
    ratio = inputs.get("aspectRatio")
    if own is None or ratio is None:
        return inputs
    if inputs.get(own) is not None:
        raise ZoetropeError(f"Give aspectRatio or {own}, not both.")
    others = {name: value for name, value in inputs.items() if name != "aspectRatio"}
    return {**others, own: _SIZES.get(ratio, ratio) if own == "resolution" else ratio}
