"""What can be uploaded."""

from __future__ import annotations

import os
from typing import BinaryIO, Union

# A path, the bytes, or a file that is open for reading in binary mode. A `str` is always a URL.
FileLike = Union["os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]
