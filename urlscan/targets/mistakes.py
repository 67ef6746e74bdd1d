"""Recognize what is wrong with a reference that leads to no file; without a mistake, the file is missing."""

from urlscan.core.faults import TargetFault
from urlscan.core.lazy import lazy
from urlscan.core.records import in_text
from urlscan.targets import suggest
from urlscan.targets.excuses import BrokenReference, is_completed
from urlscan.targets.forge import repository_names
from urlscan.targets.generators import FORGE, FORGE_DOCUMENT
from urlscan.targets.link_references import is_defined
from urlscan.targets.malformed_links import missing_prefix
from urlscan.targets.names import is_document, is_page
from urlscan.targets.references import decoded
from urlscan.targets.resolve import misread_document

# The directory above that of a repository.
_ABOVE = lazy(r"/(?P<home>(?:Users|home)/[^/]+/)?(?(home)|(?!\.\.?/)(?P<other>[^/]+)/)")
# "../../issues" leads from a README to the issues of the repository.
_PAGE_OF_FORGE = lazy(r"(?:actions|blob|discussions|issues|projects|pulls?|raw|releases|security|tree|wiki)(?:/|\Z)")
_MOST_PARTS = 20
# Words in place of a target that is not known yet, and that GitBook writes where a target was deleted.
_UNFINISHED = lazy(r"(?:(?i:todo|tbd)|broken-reference)/?\Z")


def missing_file(broken: BrokenReference) -> TargetFault:
    """Return the fault for a missing file."""
    written = broken.reference.path
    if broken.occurrence.scheme:
        written = broken.path
    span = in_text(broken.occurrence, 0, len(broken.reference.raw_path))
    return TargetFault("missing-file", *span, written, broken.path)


def is_no_path(broken: BrokenReference) -> bool:
    """Return whether a word is in place of a path: a label, as in `[text](label)`, or one for a target to come."""
    path = broken.reference.path
    is_label = broken.segment.kind == "markdown" and is_defined(path, broken.segment)
    return is_label or _UNFINISHED.match(path) is not None


def _wrong_case(broken: BrokenReference) -> TargetFault | None:
    """Recognize another letter case; that of a page is no mistake, since many generators write it in lower case."""
    document, reference, actual = broken.document, broken.reference, broken.document.tree.find(broken.path)
    if not actual.cased or actual.state not in ("file", "directory"):
        return None
    # "/gemfile" is a page of the site, and not the file "Gemfile".
    is_written = actual.state == "directory" or is_document(actual.path) or reference.path.startswith("/")
    if is_written and is_page(broken.path) and (broken.root.directories or not broken.publisher.kind.follows_files):
        return None
    if actual.path == document.path and reference.fragment:  # with an anchor that it lacks, it means another document
        anchors = broken.trees.anchors(document.tree, document.path, "auto")
        if anchors is not None and not anchors.has_place(decoded(reference.fragment) or ""):
            return None
    written, name = suggest.written_case(actual.path, reference.raw_path), actual.path.rpartition("/")[2]
    if written == reference.raw_path and f"/{reference.path}".endswith(f"/{name}"):  # a symbolic link leads to it
        return None
    fault = missing_file(broken)._replace(name="wrong-case", target=actual.path, suggestion=written)
    if actual.is_only:
        return fault
    return fault._replace(variant="several")


def _incomplete_link(broken: BrokenReference) -> TargetFault | None:
    """Recognize an address or a host without its scheme, unless a program writes that."""
    prefix = missing_prefix(broken.reference.path)
    if not prefix or is_completed(broken):
        return None
    suggestion = prefix + broken.occurrence.url
    span = in_text(broken.occurrence, 0, len(broken.occurrence.url))
    return TargetFault("incomplete-link", *span, broken.reference.path, suggestion=suggestion, variant=prefix)


def path_of_author(broken: BrokenReference) -> TargetFault | None:
    """Recognize a path on the machine of the author; after the directory of the repository comes the path to write.

    The name of that directory begins with the name of the repository, as in "/work/mill-2/src/a.c". Below the home
    directory the file may be missing; below another one, which the tree lacks, it is in the tree.
    """
    reference, tree = broken.reference, broken.document.tree
    above = _ABOVE.match(reference.path)
    if above is None:
        return None
    is_home = above["other"] is None
    if not is_home and (broken.publisher is not FORGE or tree.find(above["other"]).state != "missing"):
        return None
    names = tuple(name + end for name in repository_names(broken.trees, tree) for end in "/-_. 0123456789")
    parts = list(filter(None, reference.path[above.end() :].split("/")))[:_MOST_PARTS]
    ends = ["/".join(parts[start:]) for start, name in enumerate(parts[:-1], 1) if f"{name}/".lower().startswith(names)]
    fault = missing_file(broken)._replace(target=reference.path)
    for path in ends:
        if tree.find(path, fold=False).state in ("file", "directory") and broken.publisher.publishes(path):
            written = suggest.written_path(path, broken.document.path, reference.raw_path)
            return fault._replace(suggestion=written)
    if is_home and ends:
        return fault
    return None


def leads_above_root(broken: BrokenReference) -> bool:
    """Return whether a path that leaves the repository has a "../" too many: the rest is a path from the root."""
    document = broken.document.path
    path = suggest.path_from_root(broken.document.tree, document, broken.reference.path)
    if path in ("", document) or broken.publisher is not FORGE:
        return False
    steps = broken.reference.path.count("../") - document.count("/")
    if steps > 1 and _PAGE_OF_FORGE.match(path) is not None:
        return False
    # From "docs/a/", the page of "docs/a.md", the path of an image is right; a README has no such page.
    is_shown = FORGE_DOCUMENT.fullmatch(document.rpartition("/")[2]) is not None
    return is_shown or is_document(path) or is_page(path)


def misread_path(broken: BrokenReference) -> TargetFault | None:
    """Recognize a path to a page that leads to a document between files only."""
    reference = broken.reference
    misread = misread_document(broken.document, reference.path, broken.publisher)
    if misread is None or (reference.path.strip("/") == "" and not reference.fragment):  # "/" is the page of the host
        return None
    suggestion = suggest.written_path(misread[1], broken.document.path, reference.raw_path)
    return missing_file(broken)._replace(target=misread[0], suggestion=suggestion, is_certain=False)


# In the order in which they are tried.
MISTAKES = (path_of_author, misread_path, _wrong_case, _incomplete_link)
