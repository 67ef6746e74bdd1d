"""The commands and programs of docs/spark.md run, and its cluster is the one that is tested."""

import inspect
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.pages import ROOT, blocks, environment, programs
from tests.spark.test_cluster import Cluster, has_java
from urlscan.archive.schema import BY_NAME
from urlscan.cli.spark import create_parser
from urlscan.spark.options import NAMES

pytest.importorskip("pyspark", reason="pyspark is not installed")
PAGE = ROOT / "docs" / "spark.md"
LINES = [line for block in blocks("sh", PAGE) for line in block.text.splitlines()]


def test_commands_have_the_options_of_the_program() -> None:
    commands = [shlex.split(line.partition("urlscan.spark")[2]) for line in LINES if "urlscan.spark" in line]
    commands += [shlex.split(line.partition("job.py")[2]) for line in LINES if "spark-submit" in line]
    assert len(commands) == 4
    for command in commands:
        assert len(create_parser().read(command).paths) == 2


def test_blocks_are_valid_for_a_shell() -> None:
    done = subprocess.run(["bash", "-n"], input="\n".join(LINES), text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_cluster_is_started_as_in_the_test() -> None:
    """The test kills a worker of a cluster with the same classes and options."""
    tested = inspect.getsource(Cluster)
    started = [line for line in LINES if line.startswith("spark-class")]
    assert len(started) == 3
    for line in started:
        _, name, *options = shlex.split(line.rstrip("& "))
        assert name.removeprefix("org.apache.spark") in tested.replace("{DEPLOY}", ".deploy")
        assert {option for option in options if option.startswith("--")} <= set(re.findall(r"--[\w-]+", tested))


def test_containers_run_the_same_commands() -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load((ROOT / "docs" / "spark" / "compose.yaml").read_text(encoding="utf-8"))["services"]
    text = " ".join(LINES).replace("127.0.0.1", "master")
    assert set(services) == {"master", "worker"}
    for service in services.values():
        assert service["command"] in text
        assert (ROOT / "docs" / "spark" / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
        assert service["image"] == "urlscan-spark"


def test_image_is_linted_and_copies_files_that_exist() -> None:
    text = (ROOT / "docs" / "spark" / "Dockerfile").read_text(encoding="utf-8")
    for line in text.splitlines():
        for name in line.split()[1:-1] if line.startswith("COPY") else ():
            assert (ROOT / name).exists(), name
    if shutil.which("hadolint"):
        subprocess.run(["hadolint", ROOT / "docs" / "spark" / "Dockerfile"], check=True)


def test_options_are_documented() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert not [name for name in (*NAMES, *BY_NAME) if name not in text]


def test_script_for_clusters_runs_the_command(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(programs(PAGE)[1].text)
    command = ["python", "job.py", "--dry-run", str(ROOT / "corpus" / "demo"), "tables"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "read 1 partitions once" in done.stdout


@pytest.mark.slow
@has_java
def test_program_and_commands_run(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "corpus" / "demo", tmp_path / "corpus" / "demo")
    (tmp_path / "program.py").write_text(programs(PAGE)[0].text)
    script = "export SPARK_LOCAL_IP=127.0.0.1\npython program.py\n" + blocks("sh", PAGE)[0].text
    env = environment(tmp_path)
    env["PYSPARK_PYTHON"] = str(tmp_path / ".shims" / "python")
    done = subprocess.run(
        ["bash", "-ec", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert re.search(r"\| *bare\| *\d+\|", done.stdout)
    assert re.search(r"\|http://www\.h\.example/a-b *\|angle", done.stdout)
    assert "rows written: 2 sources, 3 messages, 14 urls, 15 occurrences" in done.stdout
    assert "catalogue.example.org" in done.stdout
    assert (tmp_path / "report.html").is_file()
