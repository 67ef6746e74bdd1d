"""Replace a file atomically, and only if it is still the file that was read."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Sequence

from urlscan.core.errors import ChangedError, SourceError, reason
from urlscan.core.record import NamedTuple
from urlscan.files.safe_open import Directory, FileState, parts_of

if os.name == "posix":
    import posix

_CHUNK = 1 << 20
_COMMON = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_ACL = "system.posix_acl_access"
# The kernel derives these from the content.
_DERIVED = {"security.ima", "security.evm"}
# <copyfile.h> of macOS: COPYFILE_ACL | COPYFILE_XATTR
_ACL_AND_ATTRIBUTES = 1 << 0 | 1 << 2


class Original(NamedTuple):
    """A file as it was read.

    Attributes:
        data: its content.
        state: its state before it was read, if known.
        root: the directory in which it was found, below which no symbolic link is followed; None for a file that the
            user named, which may be a symbolic link.
    """

    data: bytes
    state: FileState | None = None
    root: str | None = None


def write(
    path: str, data: bytes, action: str = "fixed", *, new: bool = False, original: Original | None = None
) -> None:
    """Replace the content of a file, completely or not at all, as `AtomicFile` does."""
    with AtomicFile(path, action, new=new, original=original) as file:
        file.write(data)
        file.keep()


class AtomicFile:
    """A new file, written next to the old one, which takes the old one's name when it is complete.

    Until then it has no name where the system supports that, so that no file remains however the process ends. No other
    user can read it until owner, access control list and mode are those of the old file. A file that another program
    changes or creates meanwhile is not replaced.

    Args:
        path: the file to replace; a symbolic link is kept, and its target is replaced.
        action: the participle for messages: "cannot be fixed".
        new: whether the file may be missing.
        inputs: the files that a report is about; it must not replace them or the target of a symbolic link, and is
            written to a pipe or device directly.
        original: the file as it was read, if it was.

    Raises:
        ChangedError: it is no longer the file that was read; also raised by `keep`.
        SourceError: it cannot be replaced; also raised by `write` and `keep`.
    """

    def __init__(
        self,
        path: str,
        action: str = "fixed",
        *,
        new: bool = False,
        inputs: Sequence[str] | None = None,
        original: Original | None = None,
    ) -> None:
        self._path = path
        self._action = action
        self._temporary = ""  # the name of the new file, once it has one
        self._target: _Target | None = None
        with self._explained():
            if inputs is not None and _is_device(path):
                # A pipe that /dev/stdout leads to has no path of its own.
                flags = os.O_WRONLY | os.O_APPEND | _COMMON
                self._file = open(os.open(path, flags), "wb")  # noqa: SIM115 - __exit__ closes it
                return
            if inputs is not None and os.path.islink(path):  # it may come from a stranger's commit
                raise SourceError(path, f"cannot be {action}: it is a symbolic link")
            if os.path.realpath(path) in map(os.path.realpath, inputs or ()):
                raise SourceError(path, f"cannot be {action}: it is read as input")
            self._target = target = _Target(path, action, original)
            try:
                target.check_target(new=new and (original is None or original.state is None))
                mode = 0o666
                if target.old is not None:  # the content may be confidential to its readers
                    mode = 0o600
                self._file = open(self._created(target.directory, mode), "wb")  # noqa: SIM115 - __exit__ closes it
            except BaseException:
                self._discard(target)
                raise

    def __enter__(self) -> "AtomicFile":
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the new file unless it was kept."""
        with contextlib.suppress(OSError):
            self._file.close()
        if self._target is not None:
            self._discard(self._target)

    def _discard(self, target: "_Target") -> None:
        """Remove the file with the temporary name, if there is one, and close its directory."""
        if self._temporary:
            with contextlib.suppress(OSError):
                target.directory.unlink(self._temporary)
        target.directory.close()

    def write(self, data: bytes) -> None:
        """Append to the new file."""
        with self._explained():
            self._file.write(data)

    def keep(self) -> None:
        """Give the new file the name of the old one."""
        with self._explained():
            self._file.flush()
            target = self._target
            if target is None:
                return
            if target.old is not None:
                with target.opened(target.old) as old:
                    _copy_metadata(old, self._file.fileno())
            os.fsync(self._file.fileno())
            if target.old is None:
                self._take_free_name(target)
            else:
                self._take_name(target, target.old)

    def _created(self, directory: Directory, mode: int) -> int:
        """Return the descriptor of the new file, which has no name where the system supports that."""
        unnamed = getattr(os, "O_TMPFILE", 0)
        if unnamed and os.path.isdir("/proc/self/fd"):
            with contextlib.suppress(OSError):  # not every file system supports it
                return directory.open(os.curdir, os.O_WRONLY | _COMMON | unnamed, mode)
        # Before the file exists: a signal may end the process as soon as it does.
        self._temporary = _new_name()
        return directory.open(self._temporary, os.O_WRONLY | _COMMON | os.O_CREAT | os.O_EXCL, mode)

    def _take_free_name(self, target: "_Target") -> None:
        """Give the new file a name that no file has."""
        directory = target.directory
        try:
            if not self._temporary:
                directory.link_descriptor(self._file.fileno(), target.name)
                self._file.close()
                return
            self._file.close()  # Windows renames no open file
            try:
                directory.link(self._temporary, target.name)
            except FileExistsError:
                raise
            except OSError:  # the file system has no hard links
                if directory.exists(target.name):
                    raise FileExistsError from None
                directory.replace(self._temporary, target.name)
                self._temporary = ""
        except FileExistsError:
            raise target.changed("created") from None

    def _take_name(self, target: "_Target", old: os.stat_result) -> None:
        """Exchange the new file for the old one, unless the old one has changed.

        On Linux two names can be exchanged atomically: the old file is compared again afterwards, and gets its name
        back if it has changed. Elsewhere a change between the last comparison and the rename, some ten microseconds, is
        lost. On every system, so is what a program writes later to the old file that it still has open.
        """
        directory = target.directory
        target.compare_content(old)
        if not self._temporary:
            name = _new_name()
            directory.link_descriptor(self._file.fileno(), name)
            self._temporary = name
        self._file.close()  # Windows renames no open file
        if directory.exchange(self._temporary, target.name):
            if _is_same(directory.stat(self._temporary), old, renamed=True):
                return  # the old file, which now has the temporary name, is removed
            if directory.exchange(self._temporary, target.name):  # it gets its name back
                raise target.changed("changed")
            copy, self._temporary = self._temporary, ""
            raise ChangedError(self._path, f"changed by another program; its version is kept as {copy}")
        if not _is_same(directory.stat(target.name), old):
            raise target.changed("changed")
        directory.replace(self._temporary, target.name)
        self._temporary = ""

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise SourceError for every failure of the system."""
        try:
            yield
        except (OSError, ValueError) as error:
            raise SourceError(self._path, f"cannot be {self._action}: {reason(error)}") from None


class _Target:
    """The file to replace.

    Attributes:
        directory: its directory.
        name: its name in the directory.
        old: its status when it was first examined; None if it is missing.

    Raises:
        OSError: its directory cannot be opened.
    """

    def __init__(self, path: str, action: str, original: Original | None) -> None:
        self._path = path
        self._action = action
        self._original = original
        root, below, self.name = _location(path, original and original.root)
        self.directory = Directory(root, below)
        self.old: os.stat_result | None = None

    def check_target(self, *, new: bool) -> None:
        """Set `old`; raise if the file must not be replaced, or is missing and `new` is false."""
        try:
            old = self.directory.stat(self.name)
        except FileNotFoundError:
            if new:
                return
            if self._original is not None:
                raise self.changed("removed") from None
            raise
        if not stat.S_ISREG(old.st_mode):
            if self._original is not None:
                raise self.changed("replaced")
            raise SourceError(self._path, f"cannot be {self._action}: not a regular file")
        if self._original is not None and self._original.state not in {None, FileState.of(old)}:
            raise self.changed("changed")
        if old.st_nlink > 1:
            hint = "replacing it would separate it from its other names"
            raise SourceError(self._path, f"cannot be {self._action}: it has {old.st_nlink} hard links", hint=hint)
        # A new file could take the name of one that must not be written.
        if not self.directory.is_writable(self.name):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        self.old = old

    @contextlib.contextmanager
    def opened(self, old: os.stat_result) -> Iterator[int]:
        """Open the file for reading; raise ChangedError if its status is not `old`."""
        try:
            descriptor = self.directory.open(self.name)
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.ELOOP, errno.EMLINK, errno.ENXIO}:
                raise self.changed("removed or replaced") from None
            raise
        try:
            if not _is_same(os.fstat(descriptor), old):
                raise self.changed("changed")
            yield descriptor
        finally:
            os.close(descriptor)

    def compare_content(self, old: os.stat_result) -> None:
        """Raise ChangedError if the content is not the content that was read."""
        if self._original is None:
            return
        expected = memoryview(self._original.data)
        start = 0
        with self.opened(old) as descriptor:
            while chunk := os.read(descriptor, _CHUNK):
                if expected[start : start + len(chunk)] != chunk:
                    raise self.changed("changed")
                start += len(chunk)
        if start != len(expected):
            raise self.changed("changed")

    def changed(self, how: str) -> ChangedError:
        """Return the exception for a changed file."""
        since = "meanwhile"
        if self._original is not None:
            since = "since it was read"
        return ChangedError(self._path, f"not {self._action}: {how} by another program {since}")


def _is_device(path: str) -> bool:
    """Return whether a path leads to a pipe or device, or to the standard output of this process."""
    is_other = os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))
    return is_other or path.startswith(("/dev/std", "/dev/fd/"))


def _location(path: str, root: str | None) -> tuple[str, list[str], str]:
    """Return the directory of a file, the directories below it to open without following links, and the file's name."""
    if root is None:
        directory, name = os.path.split(os.path.realpath(path))
        return directory, [], name
    if root != os.curdir:
        inside = path.removeprefix(root)
        if inside == path:
            raise ValueError(f"not in {root}")
        path = inside
    *below, name = parts_of(path)  # `./-` in `.`
    return root, below, name


def _is_same(now: os.stat_result, old: os.stat_result, *, renamed: bool = False) -> bool:
    """Return whether content and metadata of a file are unchanged."""
    if FileState.of(now) != FileState.of(old) or _access(now) != _access(old):
        return False
    # Renaming changes the time of the status, as changing an attribute does.
    return renamed or now.st_ctime_ns == old.st_ctime_ns


def _access(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_mode, status.st_uid, status.st_gid, status.st_nlink


def _new_name() -> str:
    # It does not contain the old name, which may have the maximum length.
    return f".urlscan-{os.getpid()}-{os.urandom(6).hex()}"


# --- owner, access control list, extended attributes and mode


def _copy_metadata(source: int, target: int) -> None:
    """Copy all metadata except times from one open file to another; raise OSError with a name if that is impossible.

    The target must be complete and have the mode 0600: writing clears the set-user-ID bit, and the target must never be
    more accessible than the source.
    """
    if not hasattr(os, "fchown"):  # Windows: the directory determines who may read the new file
        return
    old = os.fstat(source)
    mode = _copy_owner(old, target)
    # Before the mode: with a list, the group bits are its mask, and give the group more than its own entry.
    if hasattr(os, "listxattr"):
        _copy_attributes(source, target)
    else:
        _copy_by_copyfile(source, target)
    os.fchmod(target, mode)


def _copy_owner(old: os.stat_result, target: int) -> int:
    """Copy owner and group, and return the mode that the file may then have."""
    mode = stat.S_IMODE(old.st_mode)
    new = os.fstat(target)
    if (new.st_uid, new.st_gid) == (old.st_uid, old.st_gid):
        return mode
    try:
        os.fchown(target, old.st_uid, old.st_gid)
    except OSError:
        # Only the superuser can change the owner. The file becomes ours, unless that opens it to another group.
        if new.st_gid != old.st_gid:
            try:
                os.fchown(target, -1, old.st_gid)
            except OSError as error:
                raise OSError(error.errno, "owner and group cannot be kept") from None
        if new.st_uid != old.st_uid:
            mode &= ~stat.S_ISUID  # the file would run with our rights
    return mode


def _copy_attributes(source: int, target: int) -> None:
    """Copy the extended attributes, and with them the access control list (Linux)."""
    names = _attributes(source)
    if _ACL not in names and _ACL in _attributes(target):  # inherited from the directory
        os.removexattr(target, _ACL)
    # The list comes last: until then the file is readable for its owner alone.
    for name in sorted(names - _DERIVED, key=lambda name: name == _ACL):
        try:
            value = os.getxattr(source, name)
            if _value(target, name) != value:
                os.setxattr(target, name, value)
        except OSError as error:
            what = {_ACL: "access control list"}.get(name, f"extended attribute {name}")
            raise OSError(error.errno, f"{what} cannot be kept: {error.strerror}") from None


def _attributes(descriptor: int) -> set[str]:
    try:
        return set(os.listxattr(descriptor))
    except OSError as error:
        if error.errno in {errno.ENOTSUP, errno.ENOSYS}:
            return set()
        raise


def _value(descriptor: int, name: str) -> bytes | None:
    try:
        return os.getxattr(descriptor, name)
    except OSError:
        return None


def _copy_by_copyfile(source: int, target: int) -> None:
    """Copy the extended attributes and the access control list (macOS)."""
    copy = getattr(posix, "_fcopyfile", None)  # used by shutil as well
    if copy is None:
        return
    try:
        copy(source, target, _ACL_AND_ATTRIBUTES)
    except OSError as error:
        raise OSError(
            error.errno, f"access control list and extended attributes cannot be kept: {error.strerror}"
        ) from None
