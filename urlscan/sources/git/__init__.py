"""Work trees as git sees them, without git: no program is started, and no object of a repository is read.

A repository's configuration can name programs for many occasions (`core.fsmonitor`, `core.sshCommand`,
`remote.*.uploadpack`, an `ext::` URL when a missing object is fetched), and a directory can be a bare repository that
nobody made here.  So its index and its ignore files are read as data.
"""

from urlscan.sources.git.worktree import Listing, list_files

__all__ = ["Listing", "list_files"]
