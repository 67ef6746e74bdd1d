"""Which configuration applies to a file.

`configuration` answers, `read` and `files` read it, `keys` has every key, `layers` merges files and options, and
`origins` tells where a value comes from.
"""

from urlscan.config.configuration import Configuration
from urlscan.config.read import inside, name_of

__all__ = [
    "Configuration",
    "inside",
    "name_of",
]
