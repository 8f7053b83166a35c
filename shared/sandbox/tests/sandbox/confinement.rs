//! Confinement: network, processes, files, environment.

use std::io::Read as _;
use std::net::TcpListener;
use std::os::fd::AsRawFd as _;
use std::process::Command;

use landlock::{AccessFs, LandlockStatus, Ruleset, RulesetAttr as _};
use sandbox::probe;

use super::*;

#[test]
fn this_kernel_supports_every_layer() {
    let containment = probe(&launcher()).unwrap();
    assert!(containment.ends_with_parent, "{containment:?}");
    assert!(containment.resource_limits, "{containment:?}");
    assert!(containment.no_new_privs, "{containment:?}");
    assert!(containment.no_capabilities, "{containment:?}");
    assert!(containment.seccomp, "{containment:?}");
    assert!(containment.network_refused, "{containment:?}");
    assert!(
        containment.seccomp && containment.network_refused,
        "{containment:?}"
    );
}

#[test]
fn no_socket_connects_or_listens() {
    assert_eq!(
        ask("sockets", Value::Null),
        json!({
            "tcp": "EACCES", "tcp6": "EACCES", "udp": "EACCES", "udp6": "EACCES", "raw": "EACCES", "netlink": "EACCES",
            "packet": "EACCES", "vsock": "EACCES", "unix datagram": "EACCES", "unix client": "EACCES",
            "unix server": "granted", "unix server exists": false,
        })
    );
}

#[test]
fn work_with_a_proxy_can_connect_to_it_only() {
    let [proxy, other] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let port = |listener: &TcpListener| listener.local_addr().unwrap().port();
    let scratch = Scratch::create(None).unwrap();
    let job = Job {
        work: entry(
            "proxied sockets",
            json!({"proxy": port(&proxy), "other": port(&other)}),
        ),
        scratch: scratch.path(),
        readable: &[],
        network: Network::Proxy(port(&proxy)),
        limits: small(),
    };
    let finished = run(&launcher(), &job, &AtomicBool::new(false)).unwrap();
    let result: Value = serde_json::from_slice(&finished.stdout).unwrap();
    // Landlock before ABI 4 does not restrict ports.
    let ports_are_restricted = probe(&launcher()).unwrap().landlock_abi >= 4;
    let other_port = if ports_are_restricted {
        "EACCES"
    } else {
        "granted"
    };
    assert_eq!(
        result,
        json!({
            "proxy": true, "other port": other_port, "fast open": "EACCES", "multipath": "EACCES", "packets": "EACCES", "tcp6": "EACCES",
            "udp": "EACCES", "udp6": "EACCES", "raw": "EACCES", "netlink": "EACCES", "unix": "EACCES",
            "unix datagram": "EACCES",
        })
    );
    let mut received = String::new();
    proxy
        .accept()
        .unwrap()
        .0
        .read_to_string(&mut received)
        .unwrap();
    assert_eq!(received, "hello");
    other.set_nonblocking(true).unwrap();
    assert_eq!(other.accept().is_ok(), !ports_are_restricted);
}

#[test]
fn a_child_cannot_affect_its_parent_or_leave_its_group() {
    assert_eq!(
        ask("forbidden calls", json!({"parent": std::process::id()})),
        json!({
            "leave the group": "EPERM", "signal the parent": "EPERM", "limit the parent": "EPERM",
            "signal the parent by F_SETOWN": "EPERM", "signal the parent by F_SETOWN_EX": "EPERM",
            "signal the parent by SIOCSPGRP": "EPERM", "start a sibling": "EPERM",
            "hide from the parent": "EPERM", "outlive the parent": "EPERM", "memory file": "EPERM",
            "slow the parent": "EPERM", "signal itself": "granted", "raise a limit": "EPERM",
            "signal a sibling": "Invalid argument (os error 22)",
            "queue a signal for a sibling": "Invalid argument (os error 22)",
        })
    );
}

#[test]
fn a_child_cannot_change_owner_mode_times_or_attributes_of_files() {
    assert_eq!(
        ask("attributes", Value::Null),
        json!({
            "unchanged": true,
            "results": {
                "chmod": "EPERM", "chown": "EPERM", "utimensat": "EPERM", "futimens": "EPERM",
                "setxattr": "EPERM", "lsetxattr": "EPERM", "fsetxattr": "EPERM",
                "removexattr": "EPERM", "lremovexattr": "EPERM", "fremovexattr": "EPERM",
                // Fake success, which copying a file depends on.
                "fchmod": "granted", "copy": true,
            },
        })
    );
}

#[test]
fn a_single_process_child_cannot_signal_other_processes() {
    let mut sibling = Command::new("sleep").arg("1000").spawn().unwrap();
    let scratch = Scratch::create(None).unwrap();
    let alone = Limits {
        processes: 1,
        ..small()
    };
    // For an invalid process id the kernel itself would return another error.
    for number in [sibling.id(), i32::MAX.cast_unsigned()] {
        let work = entry("forbidden calls", json!({"sibling": number}));
        let finished = run_in(scratch.path(), work, alone);
        let result: Value = serde_json::from_slice(&finished.stdout).unwrap();
        assert_eq!(result["signal a sibling"], "EPERM");
        assert_eq!(result["queue a signal for a sibling"], "EPERM");
        assert_eq!(result["signal itself"], "granted");
    }
    sibling.kill().unwrap();
    sibling.wait().unwrap();
}

#[test]
fn a_program_is_confined_like_an_entry() {
    // An executed program keeps the filters, has no capabilities and cannot create a namespace to get them. The shell reads
    // its own status, because Landlock denies access to other processes of the group.
    let script = "while read -r line; do echo $line; done < /proc/self/status; \
                  unshare --user true 2>/dev/null || echo no namespace";
    let scratch = Scratch::create(None).unwrap();
    let finished = run_in(scratch.path(), shell(script), small());
    let text = String::from_utf8(finished.stdout).unwrap();
    for expected in [
        "CapPrm: 0000000000000000\n",
        "CapEff: 0000000000000000\n",
        "NoNewPrivs: 1\n",
        "Seccomp: 2\n",
        "Seccomp_filters: 4\n",
        "no namespace\n",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in {text}");
    }
}

#[test]
fn single_process_work_cannot_start_processes() {
    let scratch = Scratch::create(None).unwrap();
    let alone = Limits {
        processes: 1,
        ..small()
    };
    let script = "echo before; /bin/echo other; echo after";
    let finished = run_in(scratch.path(), shell(script), alone);
    assert_eq!(finished.stdout, b"before\n");
    assert_eq!(finished.outcome, Outcome::Exited { code: 2 });
    assert!(
        finished.stderr_tail.contains("Cannot fork"),
        "{}",
        finished.stderr_tail
    );
    // Threads do not count as processes.
    let finished = run_in(scratch.path(), entry("threads", json!(4)), alone);
    assert_eq!(finished.outcome, Outcome::Exited { code: 0 });
}

#[test]
fn files_outside_the_allowed_directories_are_denied() {
    let enforced = probe(&launcher()).unwrap().landlock_abi > 0;
    assert_eq!(enforced, kernel_has_landlock());
    if !enforced {
        return;
    }
    let other = tempfile::tempdir().unwrap();
    let path = |name: &str| other.path().join(name).to_str().unwrap().to_owned();
    for name in ["secret", "granted", "target"] {
        std::fs::write(path(name), name).unwrap();
    }
    let scratch = Scratch::create(None).unwrap();
    std::fs::write(scratch.path().join("source"), "document").unwrap();
    std::os::unix::fs::symlink(path("secret"), scratch.path().join("link")).unwrap();
    let readable = [PathBuf::from(path("granted"))];
    let environ = format!("/proc/{}/environ", std::process::id());
    let overwrite = format!(">{}", path("target"));
    let overwrite_granted = format!(">{}", path("granted"));
    let refused = json!({"refused": "permission denied"});
    let expected = [
        ("source", json!({"text": "document"})),
        (">artifact", json!({"text": "written"})),
        (">/dev/null", json!({"text": "written"})),
        (&path("granted"), json!({"text": "granted"})),
        (&path("secret"), refused.clone()),
        ("link", refused.clone()),
        (&environ, refused.clone()),
        ("/proc/1/environ", refused.clone()),
        ("/etc/shadow", refused.clone()),
        (&overwrite, refused.clone()),
        (&overwrite_granted, refused.clone()),
        (">/usr/planted", refused.clone()),
        ("/usr/missing", json!({"refused": "entity not found"})),
    ];
    let job = Job {
        work: entry(
            "files",
            expected.iter().map(|(path, _)| *path).collect::<Value>(),
        ),
        scratch: scratch.path(),
        readable: &readable,
        network: Network::None,
        limits: small(),
    };
    let finished = run(&launcher(), &job, &AtomicBool::new(false)).unwrap();
    let result: Value = serde_json::from_slice(&finished.stdout).unwrap();
    for (path, expected) in &expected {
        assert_eq!(&result[*path], expected, "{path}");
    }
    assert_eq!(std::fs::read(path("target")).unwrap(), b"target");
}

/// Probes Landlock on a separate thread, because it restricts the calling thread.
fn kernel_has_landlock() -> bool {
    let restricted = std::thread::spawn(|| {
        Ruleset::default()
            .handle_access(AccessFs::Execute)
            .and_then(|ruleset| ruleset.create()?.restrict_self())
    });
    let status = restricted.join().unwrap().unwrap().landlock;
    matches!(status, LandlockStatus::Available { .. })
}

#[test]
fn nothing_is_inherited() {
    // Without close-on-exec, like a descriptor of a careless library.
    let leaked = std::fs::File::open("/etc/passwd").unwrap();
    rustix::io::fcntl_setfd(&leaked, rustix::io::FdFlags::empty()).unwrap();
    assert!(leaked.as_raw_fd() > 2);
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());

    let scratch = Scratch::create(None).unwrap();
    let finished = run_in(scratch.path(), entry("environment", Value::Null), small());
    let found: Value = serde_json::from_slice(&finished.stdout).unwrap();
    let directory = scratch.path().to_str().unwrap();
    assert_eq!(
        found,
        json!({
            "variables": {"HOME": directory, "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin", "TMPDIR": directory},
            "descriptors": ["0", "1", "2"],
            "directory": directory,
            "arguments": ["sandboxed", "sandboxed-child"],
            "umask": 0o077,
        })
    );
}
