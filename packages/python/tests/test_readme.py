import re
from pathlib import Path

import pytest

from .conftest import Service

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_readme_says_what_works(
    block: str, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZOETROPE_BASE_URL", service.url)
    monkeypatch.setenv("ZOETROPE_API_KEY", service.account()["key"])
    monkeypatch.setenv("ZOETROPE_WEBHOOK_SECRET", "whsec_YW4gZXhhbXBsZSwgbm90IGEgc2VjcmV0")
    monkeypatch.chdir(tmp_path)
    make_image(tmp_path / "boat.png")
    exec(compile(block, "README.md", "exec"), {"__name__": "__main__"})


def make_image(path: Path) -> None:
    from .test_client import render

    render(path, "-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1")
