//! Removes a hostile directory tree: any depth, any permissions, symbolic links never followed.
//!
//! Recursive removal needs one file descriptor per level and fails on a tree of a few thousand levels. Here, the
//! subdirectories of each directory are moved to the top first, which needs two descriptors at any depth.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, chmodat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;

/// Removes the directory `path` and everything below, regardless of permissions and depth. No process may write to it
/// meanwhile.
///
/// # Errors
/// Any error of the file system.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let top = open_directory(CWD, path)?;
    let mut mover = Mover { moved: 0 };
    loop {
        let names = names_in(&top)?;
        if names.is_empty() {
            break;
        }
        for name in &names {
            mover.remove(&top, name)?;
        }
    }
    std::fs::remove_dir(path)
}

/// Moves directories to the top under unused names.
struct Mover {
    moved: u64,
}

impl Mover {
    fn remove(&mut self, top: &OwnedFd, name: &CStr) -> rustix::io::Result<()> {
        if !is_directory(top, name)? {
            return unlinkat(top, name, AtFlags::empty());
        }
        let directory = open_directory(top, name)?;
        for inner in names_in(&directory)? {
            if is_directory(&directory, &inner)? {
                self.move_up(top, &directory, &inner)?;
            } else {
                unlinkat(&directory, &inner, AtFlags::empty())?;
            }
        }
        unlinkat(top, name, AtFlags::REMOVEDIR)
    }

    fn move_up(
        &mut self,
        top: &OwnedFd,
        directory: &OwnedFd,
        name: &CStr,
    ) -> rustix::io::Result<()> {
        // Moving a directory changes its ".." entry, so it must be writable itself.
        chmodat(directory, name, Mode::RWXU, AtFlags::empty())?;
        loop {
            self.moved += 1;
            let new_name = format!("moved-{}", self.moved);
            match renameat(directory, name, top, new_name.as_str()) {
                Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                done => return done,
            }
        }
    }
}

fn is_directory(parent: impl AsFd, name: &CStr) -> rustix::io::Result<bool> {
    let found = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(found.st_mode) == FileType::Directory)
}

/// Opens a directory after making it readable and writable.
fn open_directory(
    parent: impl AsFd,
    name: impl rustix::path::Arg + Copy,
) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    chmodat(&parent, name, Mode::RWXU, AtFlags::empty())?;
    openat(&parent, name, flags, Mode::empty())
}

fn names_in(directory: &OwnedFd) -> rustix::io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let name = entry?.file_name().to_owned();
        if !matches!(name.to_bytes(), b"." | b"..") {
            names.push(name);
        }
    }
    Ok(names)
}
