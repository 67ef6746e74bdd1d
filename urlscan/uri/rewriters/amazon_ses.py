"""Amazon SES: `https://<id>.r.<region>.awstrack.me/L0/<URL with escaped slashes>/1/<message>/<checksum>`.

Reddit sends its mail from a host of its own, with the path `/CL0/`.

Source: Amazon Simple Email Service, "Monitoring using event publishing", and rewritten links in public repositories.
"""

import re

from urlscan.core.lazy import lazy
from urlscan.uri.grammar.characters import decoded
from urlscan.uri.rewriters.base import Rewriter
from urlscan.uri.url import Url

# Matches: `/L0/https:%2F%2Fh.example%2F/1/`, `/CL0/http:%2F%2Fh.example/2/`
# Does not match: `/L0/https://h.example/1/`, `/I0/https:%2F%2Fh.example/1/`
_FORM = lazy(r"/C?L[0-9]/(?P<url>[a-z]+(?::|%3A)%2F%2F[^/]+)/[0-9]+/", re.IGNORECASE)


def _restore(url: Url) -> str | None:
    found = _FORM.match(url.path)
    return decoded(found["url"]) if found is not None else None


REWRITER = Rewriter("amazon-ses", ("*.awstrack.me", "click.redditmail.com"), _restore)
