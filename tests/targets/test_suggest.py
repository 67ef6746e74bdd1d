"""The closest name is the one that `difflib` would choose."""

import difflib

from hypothesis import given
from hypothesis import strategies as st

from urlscan.targets.suggest import closest_anchor

NAMES = st.text("abc-", min_size=1, max_size=12)


@given(wanted=NAMES, names=st.lists(NAMES, max_size=8, unique=True))
def test_closest_anchor_is_a_close_match(wanted: str, names: list[str]) -> None:
    plain = [name.replace("-", "") for name in names]
    found = closest_anchor(wanted, names)
    if wanted.replace("-", "") in plain:
        assert found.replace("-", "") == wanted.replace("-", "")
        return
    matches = difflib.get_close_matches(wanted, names, n=1, cutoff=0.7)
    ratios = [difflib.SequenceMatcher(None, name, wanted).ratio() for name in (*matches, found)]
    assert not matches or ratios[0] == ratios[-1]
