"""Determine which configuration applies to a file.

`configuration` finds the files and combines them; `read` and `files` read them, `keys` defines every key, `layers`
merges files and options, and `origins` records the origin of each value.
"""

from urlscan.config.configuration import NAMES, Configuration, file_in
from urlscan.config.read import inside, name_of

__all__ = [
    "NAMES",
    "Configuration",
    "file_in",
    "inside",
    "name_of",
]
