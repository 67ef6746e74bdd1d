"""Define faults of the targets of references, the excuses of what is not reported, and faults with one cause."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence

from urlscan.core.record import NamedTuple
from urlscan.core.records import Match
from urlscan.core.typing import Any


class TargetFault(NamedTuple):
    """Something wrong with the target of a reference, or with a label of Markdown; a rule reports it.

    Attributes:
        name: the name of the rule.
        start, end: the span of the text to report, in characters of the document.
        written: the anchor, path or label that is written there, decoded.
        variant: for missing-label and missing-id, what is missing: "label", "document" or "file"; for malformed-link,
            the mistake: "form", "parenthesis", "nested", "code", "host", "blank" or "removed"; for incomplete-link,
            what is missing: "text", "destination" or a prefix; for missing-fragment, the anchor that the site has in
            place of one that only the forge has; for missing-file, "moved" if the suggestion is in another directory;
            for wrong-case, "several" if the names of several files differ in letter case alone.
        target: the document that should have the anchor, from the root of its tree; "" for the same document; for
            missing-file, the path of the file, and for wrong-case that of the existing one.
        suggestion: what to write in text[start:end] instead; "" if nothing is similar.
        is_certain: whether no other branch can have the target; for missing-file, whether no build is likely to make
            the file, too; for duplicate-definition, whether the first definition applies.
        url: the URL of the definition, for the rules about link references.
        advice: the name of the reason for which the finding is information, such as "changelog"; "" for none.
        repetition: words on the other faults with the same cause, of which this is the first; "" without any.
    """

    name: str
    start: int
    end: int
    written: str = ""
    target: str = ""
    suggestion: str = ""
    is_certain: bool = True
    url: str = ""
    advice: str = ""
    repetition: str = ""
    variant: str = ""


class CheckedTargets(NamedTuple):
    """The result of checking the references and the labels of a document.

    Attributes:
        faults: the references and labels with what is wrong with them, each cause once.
        links: how many references were looked up, excused ones included.
        excused: how many broken or doubtful references were not reported, by the reason.
    """

    faults: list[tuple[Match, TargetFault]]
    links: int
    excused: Mapping[str, int]


class Excuse(NamedTuple):
    """A reason for which something wrong is not reported, or only as information.

    Attributes:
        name: its name, for `-v`, `--explain` and the ablation.
        applies: returns whether it holds; its arguments are those of `first_excuse`.
        why: the reason.
    """

    name: str
    applies: Callable[..., bool]
    why: str


# The names of the excuses that are off, for measurements.
disabled: set[str] = set()


def first_excuse(excuses: tuple[Excuse, ...], *case: Any) -> str:
    """Return the name of the first excuse that holds for a case, or ""."""
    return next((excuse.name for excuse in excuses if excuse.name not in disabled and excuse.applies(*case)), "")


def count_repeated(causes: Sequence[Hashable], most: Sequence[int]) -> list[int]:
    """Return how many other faults the first of each cause represents, so that one cause is reported once.

    Up to `most` faults of a cause are reported one by one, and those whose cause is None. The first fault of a repeated
    cause gets the number of the others; each of the others gets -1; all other faults get 0.
    """
    counts, reported = Counter(causes), set[Hashable]()
    repetitions = []
    for cause, limit in zip(causes, most, strict=True):
        if cause is None or counts[cause] <= limit:
            repetitions.append(0)
        elif cause in reported:
            repetitions.append(-1)
        else:
            repetitions.append(counts[cause] - 1)
        reported.add(cause)
    return repetitions
