"""Where mypy is installed: types are strict, and a field that a model does not take is an error."""

import subprocess
import sys
from pathlib import Path

from .test_readme import BLOCKS

PACKAGE = Path(__file__).resolve().parent.parent

WRONG = """
from zoetrope import AsyncZoetrope, Zoetrope

client = Zoetrope()
client.run("sd2", {"prompt": "a fox", "ratio": "1:1"})
client.run("image-plus-2", {"prompt": "a fox", "duration": "5s"})
client.run("sd3", {"prompt": "a fox"})
client.run("sd2", {"prompt": "a fox"}, max_credit=3)
client.quote({"model": "sd2", "inputs": {"prompt": "a fox", "duration": 5.5}})
client.tasks.list(state="COMPLETED")
client.run("sd2", {"prompt": "a fox"}).files[0].downloads("a")
"""


def check(*arguments: str, cwd: Path = PACKAGE) -> subprocess.CompletedProcess[str]:
    config = str(PACKAGE / "pyproject.toml")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        config,
        "--cache-dir",
        str(cwd / ".mypy"),
        *arguments,
    ]
    return subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True)


def test_the_package_its_tests_and_the_readme_are_strictly_typed(tmp_path: Path) -> None:
    readme = [tmp_path / f"readme_{index}.py" for index in range(len(BLOCKS))]
    for path, block in zip(readme, BLOCKS, strict=True):
        path.write_text(block, "utf-8")
    done = check("src", "tools", "tests", *map(str, readme), cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_a_wrong_field_model_option_filter_or_method_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG, "utf-8")
    done = check(str(tmp_path / "wrong.py"), cwd=tmp_path)
    lines = {line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line}
    assert lines == {str(number) for number in range(5, 12)}, done.stdout
