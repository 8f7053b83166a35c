//! Tests of scratch directories.

use std::fs::{self, Permissions};
use std::os::unix::fs::symlink;

use super::*;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_scratch_directory_is_private_and_gone_when_dropped() {
    let base = tempfile::tempdir().unwrap();
    let scratch = Scratch::create(Some(base.path())).unwrap();
    let path = scratch.path().to_owned();
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o700);
    fs::write(path.join("document"), [1; 5000]).unwrap();
    assert_eq!(scratch.bytes_used(), 8192);
    drop(scratch);
    assert!(!path.exists());
}

#[test]
fn wiping_removes_unreadable_directories_and_follows_no_symlink() {
    let base = tempfile::tempdir().unwrap();
    let outside = base.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("kept"), b"kept").unwrap();
    set_mode(&outside, 0o755);

    let scratch = Scratch::create(Some(base.path())).unwrap();
    let path = scratch.path().to_owned();
    fs::create_dir_all(path.join("a/b/c")).unwrap();
    fs::write(path.join("a/b/c/file"), b"text").unwrap();
    fs::create_dir_all(path.join("moved-1/full")).unwrap();
    symlink(&outside, path.join("a/link")).unwrap();
    symlink(&outside, path.join("link")).unwrap();
    set_mode(&path.join("a/b/c"), 0o000);
    set_mode(&path.join("a"), 0o500);
    set_mode(&path, 0o500);
    scratch.wipe().unwrap();

    assert!(!path.exists());
    assert_eq!(fs::read(outside.join("kept")).unwrap(), b"kept");
    assert_eq!(fs::metadata(&outside).unwrap().mode() & 0o7777, 0o755);
}

#[test]
fn wiping_removes_a_tree_deeper_than_the_descriptor_limit() {
    let files = rustix::process::Resource::Nofile;
    let before = rustix::process::getrlimit(files);
    let few = rustix::process::Rlimit {
        current: Some(256),
        maximum: before.maximum,
    };
    rustix::process::setrlimit(files, few).unwrap();
    let scratch = Scratch::create(None).unwrap();
    let path = scratch.path().to_owned();
    let mut directory = rustix::fs::open(
        &path,
        rustix::fs::OFlags::DIRECTORY,
        rustix::fs::Mode::empty(),
    )
    .unwrap();
    for _ in 0..3_000 {
        rustix::fs::mkdirat(&directory, "deep", rustix::fs::Mode::RWXU).unwrap();
        directory = rustix::fs::openat(
            &directory,
            "deep",
            rustix::fs::OFlags::DIRECTORY,
            rustix::fs::Mode::empty(),
        )
        .unwrap();
    }
    assert_eq!(scratch.bytes_used(), u64::MAX);
    scratch.wipe().unwrap();
    rustix::process::setrlimit(files, before).unwrap();
    assert!(!path.exists());
}

#[test]
fn only_directories_of_ended_owners_are_removed() {
    let base = tempfile::tempdir().unwrap();
    let live = Scratch::create(Some(base.path())).unwrap();
    let own = Statistics::of(getpid()).unwrap();
    let pid = getpid().as_raw_nonzero();
    let names = [
        // The same process id with another start time: an earlier process.
        (format!("sandbox-{pid}-{}-1-dead", own.started + 1), false),
        // A program that this process executed before.
        (format!("sandbox-{pid}-{}-1-dead", own.started), false),
        (format!("sandbox-{}-1-1-dead", i32::MAX), false),
        (format!("sandbox-{}-1-1-", i32::MAX), true),
        ("sandbox-of-another-program".to_owned(), true),
        ("unrelated".to_owned(), true),
    ];
    for (name, _) in &names {
        fs::create_dir_all(base.path().join(name).join("inner")).unwrap();
    }
    symlink(
        base.path(),
        base.path().join(format!("sandbox-{}-2-2-link", i32::MAX)),
    )
    .unwrap();

    assert_eq!(remove_stale_scratch(base.path()).unwrap(), 3);

    assert!(live.path().exists());
    for (name, stays) in &names {
        assert_eq!(base.path().join(name).exists(), *stays, "{name}");
    }
}
