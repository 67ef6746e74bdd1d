"""List the files of a work tree as git does, without starting a program or reading repository objects.

A repository's configuration can name programs for many occasions (`core.fsmonitor`, `core.sshCommand`,
`remote.*.uploadpack`, an `ext::` URL when a missing object is fetched), and a directory can be a bare repository from
an untrusted source. Therefore the index and the ignore files are read as data.
"""

from urlscan.files.git.worktree import Listing, list_files

__all__ = ["Listing", "list_files"]
