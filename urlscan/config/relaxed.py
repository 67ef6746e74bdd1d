"""Define the default of `relaxed-paths`, and the project root that its patterns are relative to."""

import os
from collections.abc import Callable

# Conventional names of test and fixture directories.
_DIRECTORIES = (
    "test/ tests/ Test/ Tests/ t/ testing/ testsuite/ testcases/ __tests__/ *_test/ *_tests/ *-tests/ *Tests/"
    " spec/ specs/ Specs/ e2e/ fixture/ fixtures/ Fixtures/ __fixtures__/ __mocks__/ __snapshots__/"
    " testdata/ test-data/ test_data/ TestData/ test-fixtures/ test_fixtures/"
).split()
# Conventional names of test files, by language.
_FILES = (
    "test.py tests.py test_*.py test-*.py *_test.py *_tests.py conftest.py"  # Python
    " *_test.go *_test.rs *_test.exs *_test.erl *_SUITE.erl *_test.dart"
    " test_*.rb *_test.rb *_spec.rb *_spec.lua"
    " *.test.[jt]s *.test.[jt]sx *.test.[cm][jt]s *.spec.[jt]s *.spec.[jt]sx *.spec.[cm][jt]s *.snap"
    " *Test.java *Tests.java *Test.kt *Test.scala *Spec.scala *Test.cs *Tests.cs *Tests.swift *Test.php *.phpt"
    " *Test.hs *Spec.hs test_*.c test_*.cc test_*.cpp *_test.c *_test.cc *_test.cpp *_unittest.cc"
    " test-*.el *-test.el *-tests.el *.t *.bats"
).split()
RELAXED_PATHS = (*_DIRECTORIES, *_FILES)

# Each of the patterns contains one of these texts, when case is ignored and "/" follows the path.
_TEXTS = "test spec e2e fixture /t/ .t/ __mocks__ __snapshots__ .snap/ suite. .phpt .bats".split()

# Limit on cached directories.
_MOST = 1 << 16


def may_be_relaxed(path: str) -> bool:
    """Return whether RELAXED_PATHS may match an absolute path; the patterns take 2 ms to compile."""
    path = f"{path.replace(os.sep, '/').lower()}/"
    return any(text in path for text in _TEXTS)


class ProjectRoots:
    """Finds the root of the project that a file belongs to.

    A pattern such as `tests/` must not match a directory above the project: a checkout in `/home/jo/tests/repo` is
    not test data as a whole.

    Attributes:
        walked: the paths that are searched for files, absolute, the longest first.

    Args:
        config_in: returns the path of the configuration file that applies to a directory, or None.
    """

    def __init__(self, config_in: Callable[[str], str | None]) -> None:
        self._config_in = config_in
        self._here = os.getcwd()
        self.walked: tuple[str, ...] = ()
        self._repositories: dict[str, str | None] = {}

    def of(self, directory: str) -> str:
        """Return the root of the project of a directory, an absolute path.

        It is the closest directory, upwards, with a configuration file or a repository; without one the current
        directory if it is above, else the directory that is walked, else the directory itself.
        """
        config = self._config_in(directory)
        marked = [os.path.dirname(config)] if config is not None else []
        if (repository := self._repository(directory)) is not None:
            marked.append(repository)
        if marked:
            return max(marked, key=len)
        walked = (path for path in (self._here, *self.walked) if is_below(directory, path))
        return next(walked, directory)

    def _repository(self, directory: str) -> str | None:
        """Return the closest directory, upwards, that holds a `.git`."""
        if len(self._repositories) > _MOST:
            self._repositories.clear()
        waiting, repository = list[str](), None
        while directory not in self._repositories:
            waiting.append(directory)
            above = os.path.dirname(directory)
            if os.path.exists(os.path.join(directory, ".git")):
                repository = directory
                break
            if above == directory:
                break
            directory = above
        else:
            repository = self._repositories[directory]
        self._repositories.update(dict.fromkeys(waiting, repository))
        return repository


def is_below(path: str, directory: str) -> bool:
    """Return whether an absolute path is a directory or lies below it."""
    return (path.rstrip(os.sep) + os.sep).startswith(directory.rstrip(os.sep) + os.sep)
