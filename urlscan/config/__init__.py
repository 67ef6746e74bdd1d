"""Determine which configuration applies to a file.

`configuration` finds the files; `files` reads them, `keys` defines every key, `layers` merges files and options, and
`describe` tells where each value was set.
"""

from urlscan.config.configuration import NAMES, Configuration, file_in
from urlscan.config.layers import inside
from urlscan.files.safe_open import relative_to_here as name_of

__all__ = ["NAMES", "Configuration", "file_in", "inside", "name_of"]
