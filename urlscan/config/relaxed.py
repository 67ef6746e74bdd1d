"""Define the default of `relaxed-paths`."""

import os

from urlscan.core.lazy import lazy
from urlscan.documents.identify import identify

# Conventional names of test and fixture directories.
_DIRECTORIES = (
    "test/ tests/ Test/ Tests/ t/ ?test/ ?tests/ testing/ testsuite/ testcases/ __tests__/ *_test/ *_tests/"
    " *-tests/ *Tests/ **/src/*Test/ test_site/ spec/ specs/ Specs/ e2e/"
    " fixture/ fixtures/ Fixtures/ __fixtures__/ __mocks__/ __snapshots__/"
    " testdata/ test-data/ test_data/ TestData/ test-fixtures/ test_fixtures/"
    " test-resources/ test_resources/ expected_output/ expected-output/"
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

# A path that a pattern matches contains one of these texts, when case is ignored and "/" follows the path. The patterns
# take 2 ms to compile.
RELAXED_TEXTS = "test spec e2e expected fixture /t/ .t/ __mocks__ __snapshots__ .snap/ suite. .phpt .bats".split()
_DOCUMENTS = lazy(r"/(?:docs?|documentation|content|guides?)/")


def telling_path(path: str) -> str:
    """Return what tells in a path, which begins with a slash, whether a file is test data.

    A document in "specs/" is a specification, and in a directory of documents one in "Tests/" is about tests.
    """
    if identify(path) not in ("markdown", "rst", "asciidoc"):
        return path
    path = path.replace(f"{os.sep}specs{os.sep}", os.sep)
    match = _DOCUMENTS.search(path.replace(os.sep, "/"))
    if match is None:
        return path
    return path[: match.end()]


def is_below(path: str, directory: str) -> bool:
    """Return whether an absolute path is a directory or lies below it."""
    return (path.rstrip(os.sep) + os.sep).startswith(directory.rstrip(os.sep) + os.sep)
