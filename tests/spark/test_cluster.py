"""A job on a cluster of processes on this machine gives the same tables when a worker is killed in the middle."""

import contextlib
import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.archive.databases import archive, rows
from tests.spark.test_job import has_java, mailbox, parquet_rows

pytest.importorskip("pyspark", reason="pyspark is not installed")
TASKS = 12
MESSAGES = 60  # of a task
ENOUGH = 400  # seconds; a limit for a busy machine
DEPLOY = "org.apache.spark.deploy"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_for(condition: Any, what: str) -> Any:
    ends = time.monotonic() + ENOUGH
    while time.monotonic() < ends:
        if found := condition():
            return found
        time.sleep(0.1)
    raise AssertionError(f"{what}: not within {ENOUGH} s")


class Cluster:
    """A master and two workers, as processes; each worker shares a process group with its executors."""

    def __init__(self, directory: Path) -> None:
        import pyspark

        self._directory = directory
        self._class = Path(pyspark.__file__).parent / "bin" / "spark-class"
        self._environment = {
            **os.environ,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_NO_DAEMONIZE": "1",
            "PYSPARK_PYTHON": sys.executable,
        }
        self.url = f"spark://127.0.0.1:{free_port()}"
        self.processes: list[subprocess.Popen[bytes]] = []
        port = self.url.rpartition(":")[2]
        self._start("master", f"{DEPLOY}.master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", "0")
        wait_for(lambda: "New state: ALIVE" in self.log("master"), "start of the master")
        for name in ("worker1", "worker2"):
            folder = str(directory / name)
            arguments = ("--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0")
            self._start(name, f"{DEPLOY}.worker.Worker", *arguments, "--work-dir", folder, self.url)
        for name in ("worker1", "worker2"):
            wait_for(lambda name=name: "Successfully registered" in self.log(name), f"start of {name}")

    def _start(self, name: str, *command: str) -> None:
        with (self._directory / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [self._class, *command], cwd=self._directory, env=self._environment, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        self.processes.append(process)

    def log(self, name: str) -> str:
        """Return what a process has written."""
        return (self._directory / f"{name}.log").read_text(errors="replace")

    def run(self, *arguments: str, ui_port: int) -> "subprocess.Popen[str]":
        """Start the job."""
        settings = {
            "spark.driver.memory": "512m",
            "spark.executor.memory": "512m",
            "spark.driver.host": "127.0.0.1",
            "spark.ui.port": str(ui_port),
            "spark.sql.shuffle.partitions": "4",
        }
        options = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
        return subprocess.Popen(
            [sys.executable, "-m", "urlscan.spark", "--master", self.url, *options, *arguments],
            env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def stop(self) -> None:
        for process in self.processes:
            kill_group(process)


def kill_group(process: "subprocess.Popen[Any]") -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    started = None
    try:
        started = Cluster(tmp_path)
        yield started
    finally:
        if started is not None:
            started.stop()


def completed_tasks(port: int) -> tuple[int, int]:
    """Return how many tasks of the reading stage are complete, and on how many executors, as the driver says."""
    base = f"http://127.0.0.1:{port}/api/v1/applications"

    def get(path: str) -> Any:
        with urllib.request.urlopen(base + path, timeout=10) as answer:
            return json.load(answer)

    try:
        (application,) = get("")
        executors = [e for e in get(f"/{application['id']}/executors") if e["id"] != "driver"]
        stages = get(f"/{application['id']}/stages?status=active")
    except (OSError, ValueError):
        return 0, 0
    done = max((stage["numCompleteTasks"] for stage in stages if stage["numTasks"] == TASKS), default=0)
    return done, len(executors)


@pytest.mark.slow
@has_java
def test_tables_are_equal_when_a_worker_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    mail = tmp_path / "mail"
    mail.mkdir()
    for number in range(TASKS):
        data = mailbox(number * MESSAGES, MESSAGES, "http://h.example/~jo <http://h.example/x|y>\n" * 20)
        (mail / f"{number:02}.mbox.gz").write_bytes(gzip.compress(data))
    output, port = tmp_path / "tables", free_port()
    process = cluster.run("--split-bytes", "1", str(mail), str(output), ui_port=port)
    try:

        def in_the_middle() -> bool:
            assert process.poll() is None, "the job ended before a worker was killed"
            done, executors = completed_tasks(port)
            return executors == 2 and 1 <= done < TASKS - 2

        wait_for(in_the_middle, "a stage in work")
        kill_group(cluster.processes[2])
        out, err = process.communicate(timeout=ENOUGH)
    finally:
        kill_group(process)
    assert process.returncode == 0, err[-2000:]
    assert f"files: {TASKS}; partitions: {TASKS}; rows written: {TASKS} sources, {TASKS * MESSAGES:,} messages" in out
    database = tmp_path / "a.duckdb"
    archive(database, "-q", mail)
    assert parquet_rows(output) == rows(database)
