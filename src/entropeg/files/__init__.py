"""Files: read within limits, written whole, and never replaced by another kind of file unasked.

Every file that somebody else may have made is read here, and every file that somebody asked for is written here.
`-` stands for standard input and output.
"""

from entropeg.files.arrays import parse_arrays
from entropeg.files.paths import STANDARD, data_folder, is_standard, refuse_standard, shown
from entropeg.files.reading import (
    decoded,
    inflated,
    parse_json,
    parse_object,
    read_bytes,
    read_json,
    read_line,
    read_text,
    unpacked,
)
from entropeg.files.writing import (
    FIGURE,
    GENERATOR,
    MARK,
    OWN,
    PAGE,
    FileKind,
    check_target,
    is_begun,
    make_folder,
    refuse_file,
    replaces_all,
    replacing,
    write_whole,
)

__all__ = [
    "FIGURE",
    "GENERATOR",
    "MARK",
    "OWN",
    "PAGE",
    "STANDARD",
    "FileKind",
    "check_target",
    "data_folder",
    "decoded",
    "inflated",
    "is_begun",
    "is_standard",
    "make_folder",
    "parse_arrays",
    "parse_json",
    "parse_object",
    "read_bytes",
    "read_json",
    "read_line",
    "read_text",
    "refuse_file",
    "refuse_standard",
    "replaces_all",
    "replacing",
    "shown",
    "unpacked",
    "write_whole",
]
