"""The command, for the script of a job: `from urlscan.spark.command import main`."""

from urlscan.cli.spark import main as main
