"""Copy owner, access control list, extended attributes and mode to the file that replaces another."""

import errno
import os
import stat

_ACL = "system.posix_acl_access"
# The kernel derives these from the content; those of the old content would be wrong.
_DERIVED = {"security.ima", "security.evm"}
# <copyfile.h> of macOS: COPYFILE_ACL | COPYFILE_XATTR
_ACL_AND_ATTRIBUTES = 1 << 0 | 1 << 2


def copy_metadata(source: int, target: int) -> None:
    """Copy everything but content and times from one open file to another.

    The target must be complete and of mode 0600: writing clears the set-user-ID bit, and nobody gains access to the
    target that the source does not give, not even for a moment.

    Args:
        source: descriptor of the old file.
        target: descriptor of the new file.

    Raises:
        OSError: something cannot be copied; the message says what.
    """
    if not hasattr(os, "fchown"):  # Windows: the directory says who may read the new file
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
    """Copy owner and group, and return the mode that may be given to the file then."""
    mode = stat.S_IMODE(old.st_mode)
    new = os.fstat(target)
    if (new.st_uid, new.st_gid) == (old.st_uid, old.st_gid):
        return mode
    try:
        os.fchown(target, old.st_uid, old.st_gid)
    except OSError:
        # Only the superuser gives files away.  The file becomes ours, unless that opens it to another group.
        if new.st_gid != old.st_gid:
            try:
                os.fchown(target, -1, old.st_gid)
            except OSError as error:
                raise OSError(error.errno, "its owner and group cannot be kept") from None
        if new.st_uid != old.st_uid:
            mode &= ~stat.S_ISUID  # it would run with our rights
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
            what = "access control list" if name == _ACL else f"extended attribute {name}"
            raise OSError(error.errno, f"its {what} cannot be kept: {error.strerror}") from None


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
    import posix

    copy = getattr(posix, "_fcopyfile", None)  # shutil uses it, too
    if copy is None:
        return
    try:
        copy(source, target, _ACL_AND_ATTRIBUTES)
    except OSError as error:
        raise OSError(
            error.errno, f"its access control list and extended attributes cannot be kept: {error.strerror}"
        ) from None
