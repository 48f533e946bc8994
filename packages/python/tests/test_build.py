import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


def test_the_sdist_and_the_wheel_have_the_package_its_types_and_one_dependency(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)]
    subprocess.run(build, cwd=PACKAGE, check=True, capture_output=True)
    modules = {path.name for path in (PACKAGE / "src" / "zoetrope").iterdir() if path.is_file()}
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
        metadata = wheel.read(next(name for name in names if name.endswith("METADATA"))).decode()
    assert {f"zoetrope/{name}" for name in modules} <= names
    assert {name for name in names if not name.startswith("zoetrope")} == set()
    assert [line for line in metadata.splitlines() if line.startswith("Requires-Dist")] == [
        "Requires-Dist: httpx>=0.23"
    ]
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as sdist:
        packed = {name.partition("/")[2] for name in sdist.getnames()}
    assert {f"src/zoetrope/{name}" for name in modules} | {"README.md", "pyproject.toml"} <= packed
