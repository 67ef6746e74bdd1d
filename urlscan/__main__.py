"""`python -m urlscan`."""

import sys

# Python puts the current directory in front of its own modules, and that can be a stranger's repository with a
# `json.py`.  `python -P` never does so.
if __spec__ is not None and __spec__.name == "urlscan.__main__" and not sys.flags.safe_path:
    del sys.path[0]

from urlscan.cli import entry

if __name__ == "__main__":
    entry()
