"""Copy owner, access control list, extended attributes and mode to the file that replaces another."""

import errno
import os
import stat

if os.name == "posix":
    import posix

_ACL = "system.posix_acl_access"
# The kernel derives these from the content.
_DERIVED = {"security.ima", "security.evm"}
# <copyfile.h> of macOS: COPYFILE_ACL | COPYFILE_XATTR
_ACL_AND_ATTRIBUTES = 1 << 0 | 1 << 2


def copy_metadata(source: int, target: int) -> None:
    """Copy all metadata except times from one open file to another.

    The target must be complete and have the mode 0600: writing clears the set-user-ID bit, and the target must never be
    more accessible than the source.

    Raises:
        OSError: something cannot be copied; the message names it.
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
