//! Protection of the parent's secrets, and cleanup after a killed parent.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use sandbox::remove_stale_scratch;

use super::*;

const SECRET: &str = "AWS_SECRET_ACCESS_KEY=very-secret";

/// Runs a role of the fixture as an ordinary user, because root may read any process.
fn play(role: &[&str]) -> Output {
    play_with_mode(0o755, role)
}

/// As [`play`]; with mode 0711, the program's file can be executed but not read.
fn play_with_mode(mode: u32, role: &[&str]) -> Output {
    let readable = tempfile::tempdir().unwrap();
    std::fs::set_permissions(readable.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let fixture = readable.path().join("fixture");
    // Copied by another process: a child that another test forks meanwhile would inherit the file open for writing (ETXTBSY).
    let copied = Command::new("/bin/cp").arg(FIXTURE).arg(&fixture).status();
    assert!(copied.unwrap().success());
    std::fs::set_permissions(&fixture, PermissionsExt::from_mode(mode)).unwrap();
    let mut command = Command::new(&fixture);
    command.args(role).env_clear().current_dir("/");
    command.env("AWS_SECRET_ACCESS_KEY", "very-secret");
    if rustix::process::geteuid().is_root() {
        command.uid(65534).gid(65534);
    }
    command.output().unwrap()
}

#[test]
fn unconfined_children_cannot_read_the_environment_of_a_hardened_parent() {
    let open = play(&["spied on", "open"]);
    assert!(String::from_utf8_lossy(&open.stdout).contains(SECRET));
    let hardened = play(&["spied on", "hardened"]);
    assert_eq!(hardened.status.code(), Some(1));
    assert_eq!(hardened.stdout, b"");
    assert_eq!(
        String::from_utf8_lossy(&hardened.stderr),
        "Permission denied (os error 13)\n"
    );
}

#[test]
fn the_hardening_that_is_in_force_is_reported() {
    let hardening = |mode, role: &[&str]| -> Value {
        let played = play_with_mode(mode, role);
        assert!(played.status.success(), "{played:?}");
        serde_json::from_slice(&played.stdout).unwrap()
    };
    let both = json!({"not_dumpable": true, "no_core_dumps": true});
    assert_eq!(hardening(0o755, &["hardening"]), both);
    // Where prctl is refused, the kernel protects the process of an execute-only file.
    let only_core_dumps = json!({"not_dumpable": false, "no_core_dumps": true});
    assert_eq!(hardening(0o755, &["jail", "hardening"]), only_core_dumps);
    if !is_owner_of_fixtures() {
        assert_eq!(hardening(0o711, &["jail", "hardening"]), both);
        let spied = play_with_mode(0o711, &["jail", "spied on", "hardened"]);
        assert_eq!(spied.stdout, b"");
        assert_eq!(spied.status.code(), Some(1));
    }
}

/// Whether roles run as the owner of the fixture's file, who can read it with mode 0711.
fn is_owner_of_fixtures() -> bool {
    !rustix::process::geteuid().is_root()
}

#[test]
fn a_hardened_parent_can_use_its_own_executable_as_launcher() {
    let spied = play(&["sandboxed spy"]);
    assert!(spied.status.success(), "{spied:?}");
    let files: Value = serde_json::from_slice(&spied.stdout).unwrap();
    let files = files.as_object().unwrap();
    assert_eq!(files.len(), 2);
    for (path, found) in files {
        if path == "/etc/passwd" {
            assert!(found["text"].as_str().unwrap().contains("root:"));
        } else {
            assert_eq!(found, &json!({"refused": "permission denied"}), "{path}");
        }
    }
}

#[test]
fn no_process_survives_its_job() {
    // Under the restrictions nothing keeps processes in their group; those that have left it are found.
    for (role, outcome) in [
        (&["left behind"][..], "Exited { code: 0 }"),
        (&["jail", "left behind"], "Crashed { signal: 9 }"),
    ] {
        let played = play(role);
        assert!(played.status.success(), "{played:?}");
        let found: Value = serde_json::from_slice(&played.stdout).unwrap();
        let expected = json!({"outcome": outcome, "living": 0, "zombies": 0});
        assert_eq!(found, expected, "{role:?}");
    }
}

#[test]
fn processes_end_with_a_killed_parent_and_its_successor_removes_the_files() {
    for role in [&["sleeper"][..], &["jail", "sleeper"]] {
        kill_parent(role);
    }
}

/// Kills a parent whose child executes a program that sleeps.
fn kill_parent(role: &[&str]) {
    let base = tempfile::tempdir().unwrap();
    let mut parent = Command::new(FIXTURE)
        .args(role)
        .arg(base.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let scratch = wait_for(|| {
        let entry = std::fs::read_dir(base.path()).unwrap().next()?.unwrap();
        entry.path().join("pid").exists().then(|| entry.path())
    });
    assert_eq!(remove_stale_scratch(base.path()).unwrap(), 0);
    assert_eq!(processes_in(&scratch).len(), 1);

    parent.kill().unwrap();
    parent.wait().unwrap();

    wait_for(|| processes_in(&scratch).is_empty().then_some(()));
    assert_eq!(remove_stale_scratch(base.path()).unwrap(), 1);
    assert!(!scratch.exists());
}

fn wait_for<T>(mut condition: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        if let Some(found) = condition() {
            return found;
        }
        assert!(
            Instant::now() < deadline,
            "the condition was not met within 10 s"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}
