"""ssh and sftp: a session of an SSH server, and files on it."""

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes.base import NET_LOCATION, REST, Scheme, no_faults
from urlscan.uri.url import Detail, Url


class SshTarget(Detail):
    """The target of an ssh or sftp URL, without escapes.

    Attributes:
        user: None if absent, "" if empty.
        parameters: name and value of those after ";" in the userinfo, such as a fingerprint.
        path: the path of the file with its first "/"; "" if absent.
    """

    user: str | None
    parameters: tuple[tuple[str, str], ...]
    path: str


def parse(url: Url) -> SshTarget | None:
    """Return user, connection parameters and path."""
    if url.authority is None:
        return None
    user, *parameters = (url.user or "").split(";")
    pairs = (parameter.partition("=") for parameter in parameters)
    return SshTarget(
        None if url.user is None else decoded(user),
        tuple((decoded(name), decoded(value)) for name, _, value in pairs),
        decoded(url.path),
    )


# draft-ietf-secsh-scp-sftp-ssh-uri-04 sections 3 and 4 (expired):
#   sshURI  = "ssh:"  hier-part            sftpURI = "sftp:" hier-part
#   ssh-info = [ userinfo ] [ ";" c-param *("," c-param) ]
# IANA registers both.  Only a host is required.
SSH = Scheme(
    name="ssh",
    title="a session of an SSH server",
    documents={"rfc3986": "RFC 3986 section 3.2"},
    patterns={"rfc3986": NET_LOCATION + REST},
    parse=parse,
    faults=no_faults,
    examples=("ssh://jo@h.example:2222/",),
)
SFTP = SSH._replace(name="sftp", title="a file of an SSH server", examples=("sftp://jo@h.example/a/b.txt",))
