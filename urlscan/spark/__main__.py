"""`python -m urlscan.spark`, also a script for `spark-submit`."""

import sys

# Python puts the current directory, or that of the script, in front of its own modules; see urlscan/__main__.py.
if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]

from urlscan.cli.spark import main

if __name__ == "__main__":
    raise SystemExit(main())
