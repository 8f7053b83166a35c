//! Attempts to change owner, mode, times and extended attributes of a file.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use rustix::fs::{
    AtFlags, CWD, Gid, Mode, Timespec, Timestamps, Uid, XattrFlags, chmod, chownat, fchmod,
    fremovexattr, fsetxattr, futimens, lremovexattr, lsetxattr, removexattr, setxattr, utimensat,
};
use rustix::process::{getgid, getuid};
use serde_json::{Value, json};

use super::attempt;

/// The result of each attempt on a file that is created in the working directory, and whether the file has changed.
pub(super) fn change() -> io::Result<Value> {
    const NAME: &str = "attributes";
    let file = File::create(NAME)?;
    let before = fs::metadata(NAME)?;
    let times = Timestamps {
        last_access: Timespec::default(),
        last_modification: Timespec::default(),
    };
    let (user, group): (Uid, Gid) = (getuid(), getgid());
    let none = XattrFlags::empty();
    let results = json!({
        "chmod": attempt(chmod(NAME, Mode::RWXU)),
        "fchmod": attempt(fchmod(&file, Mode::RWXU)),
        "chown": attempt(chownat(CWD, NAME, Some(user), Some(group), AtFlags::empty())),
        "utimensat": attempt(utimensat(CWD, NAME, &times, AtFlags::empty())),
        "futimens": attempt(futimens(&file, &times)),
        "setxattr": attempt(setxattr(NAME, "user.x", b"x", none)),
        "lsetxattr": attempt(lsetxattr(NAME, "user.x", b"x", none)),
        "fsetxattr": attempt(fsetxattr(&file, "user.x", b"x", none)),
        "removexattr": attempt(removexattr(NAME, "user.x")),
        "lremovexattr": attempt(lremovexattr(NAME, "user.x")),
        "fremovexattr": attempt(fremovexattr(&file, "user.x")),
        "copy": fs::copy(NAME, "copy").is_ok(),
    });
    let after = fs::metadata(NAME)?;
    let unchanged = after.permissions().mode() == before.permissions().mode()
        && (after.mtime(), after.uid()) == (before.mtime(), before.uid());
    Ok(json!({"results": results, "unchanged": unchanged}))
}
