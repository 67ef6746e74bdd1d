"""`python -m urlscan`."""

from urlscan.cli import entry

if __name__ == "__main__":
    entry()
