"""NumPy's files of arrays, read strictly: numbers and short texts only, within limits, and nothing is evaluated.

NumPy's own reader takes any Python literal for the head of an array, and says what is wrong with it in a dozen kinds
of exceptions.
"""

from __future__ import annotations

import io
import re
import zlib
from typing import TYPE_CHECKING, Any

from entropeg.errors import InputError
from entropeg.files.reading import LARGEST

if TYPE_CHECKING:
    import zipfile

    from numpy.typing import NDArray

_HEAD = re.compile(
    rb"\{'descr': '([<|=]?(?:b1|[iu][1248]|f[48]|U\d{1,4}))', 'fortran_order': False, "
    rb"'shape': \(((?:\d{1,10}, ?)*(?:\d{1,10})?)\), \}\s*"
)


def parse_array(content: bytes) -> NDArray[Any]:
    """Read one array that `numpy.save` wrote; raises InputError where it is damaged or of another kind.

    >>> import numpy as np
    >>> file = io.BytesIO()
    >>> np.save(file, np.arange(3))
    >>> parse_array(file.getvalue())
    array([0, 1, 2])
    """
    import numpy as np

    head = _HEAD.fullmatch(content[10 : 10 + int.from_bytes(content[8:10], "little")])
    if content[:8] != b"\x93NUMPY" + b"\x01\x00" or head is None:
        raise InputError("it is no array of numbers as NumPy writes them")
    dtype = np.dtype(head[1].decode())
    shape = tuple(int(size) for size in head[2].replace(b" ", b"").split(b",") if size)
    data = memoryview(content)[10 + int.from_bytes(content[8:10], "little") :]
    count = 1
    for size in shape:
        count *= size
    if count * dtype.itemsize != len(data):
        raise InputError("its head speaks of {told:,} bytes, and {bytes:,} follow", count * dtype.itemsize, len(data))
    try:
        return np.frombuffer(data, dtype, count).reshape(shape) if count else np.empty(shape, dtype)
    except ValueError as error:  # more dimensions than NumPy has, or of no width
        raise InputError("its head speaks of an array that cannot be: {error}", error) from None


def parse_arrays(content: bytes, *, most: int = LARGEST) -> dict[str, NDArray[Any]]:
    """Read the arrays of an archive that `numpy.savez` wrote, by name; raises InputError where it is damaged.

    The sizes of arrays that the archive states are checked before anything is unpacked.

    >>> import numpy as np
    >>> file = io.BytesIO()
    >>> np.savez(file, bounds=np.arange(3))
    >>> parse_arrays(file.getvalue())
    {'bounds': array([0, 1, 2])}
    """
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_entries(archive.infolist(), most)
            return {
                entry.filename.removesuffix(".npy"): parse_array(archive.read(entry)) for entry in archive.infolist()
            }
    except InputError:
        raise
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, LookupError):
        # What zipfile says may quote hundreds of bytes, as a name that differs from its header's.
        raise InputError("it is no archive of arrays, or damaged") from None


def _check_entries(entries: list[zipfile.ZipInfo], most: int) -> None:
    from zipfile import ZIP_DEFLATED, ZIP_STORED

    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names):
        raise InputError("it holds two arrays of one name")
    odd = [entry for entry in entries if entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED}]
    if odd:
        raise InputError("its array {name!r} is packed in a way that NumPy does not use", odd[0].filename)
    if sum(entry.file_size for entry in entries) > most:
        raise InputError("its arrays take more than {most:,} bytes", most)
