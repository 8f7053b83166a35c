//! The parent's roles: an ordinary process that starts children, or whose environment a child tries to read.

use std::fs;
use std::io::{self, Write as _, stdout};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rustix::process::WaitOptions;
use sandbox::{
    FinishedChild, Job, Launcher, Limits, Network, SandboxError, Scratch, Supervisor, Work,
};
use serde_json::{Value, json};

use super::{exit_code, jail, print, serve};

/// Runs the role given by the arguments.
pub(super) fn play() -> io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["jail", arguments @ ..] => jailed(arguments),
        ["hardening"] => hardening(),
        ["spied on", hardened] => spied_on(*hardened == "hardened"),
        ["spy"] => spy(),
        ["sandboxed spy"] => sandboxed(&std::env::temp_dir(), spying()),
        ["full file", scratch] => full_file(Path::new(scratch)),
        ["sleeper", base] => sandboxed(Path::new(base), sleeping()),
        ["left behind"] => left_behind(),
        ["forks", entry] => forks(entry),
        ["threads fork"] => threads_fork(),
        _ => Err(io::Error::other("unknown role")),
    }
}

/// Serves an entry in a fork of this process, prints its result, and checks that the next fork works.
fn forks(entry: &str) -> io::Result<ExitCode> {
    sandbox::harden_parent();
    let finished = forked(entry, json!(null)).map_err(io::Error::other)?;
    let next = forked("echo", json!("next")).map_err(io::Error::other)?;
    print(&json!({
        "outcome": format!("{:?}", finished.outcome),
        "stdout": String::from_utf8_lossy(&finished.stdout),
        "next": String::from_utf8_lossy(&next.stdout),
    }))?;
    Ok(ExitCode::SUCCESS)
}

/// Tries to fork while another thread is running.
fn threads_fork() -> io::Result<ExitCode> {
    std::thread::spawn(|| std::thread::sleep(Duration::from_secs(1000)));
    match forked("echo", json!(null)) {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(io::Error::other(error)),
    }
}

fn forked(entry: &str, request: Value) -> Result<FinishedChild, SandboxError> {
    let scratch = Scratch::create(None)?;
    let job = Job {
        work: Work::Entry {
            name: entry.to_owned(),
            request,
        },
        scratch: scratch.path(),
        readable: &[],
        network: Network::None,
        limits: Limits {
            // Generous, so that only these two entries time out on a busy machine.
            wall: Duration::from_secs(if ["sleep", "spin"].contains(&entry) {
                1
            } else {
                30
            }),
            resident: 128 << 20,
            file_size: 16 << 20,
            scratch: 32 << 20,
            ..Limits::default()
        },
    };
    sandbox::run_forked(&job, &Unsupervised, &|entry| exit_code(serve(&entry)))
}

/// A supervisor that does nothing.
struct Unsupervised;

impl Supervisor for Unsupervised {
    fn started(&self, _: u32) {}

    fn should_stop(&self) -> bool {
        false
    }
}

/// Runs a child that tries to leave processes behind, and prints how many of them live afterwards.
fn left_behind() -> io::Result<ExitCode> {
    let scratch = Scratch::create(None).map_err(io::Error::other)?;
    let job = Job {
        work: Work::Entry {
            name: "leave processes behind".to_owned(),
            request: Value::Null,
        },
        scratch: scratch.path(),
        readable: &[],
        network: Network::None,
        limits: Limits::default(),
    };
    let finished = sandbox::run(&Launcher::current(), &job, &AtomicBool::new(false));
    let finished = finished.map_err(io::Error::other)?;
    // A process that forks in a loop is not seen in each list.
    let lists = (0..100).map(|_| processes_in(scratch.path()));
    let living = lists.sum::<io::Result<usize>>()?;
    let zombie = rustix::process::waitpid(None, WaitOptions::NOHANG);
    print(&json!({
        "outcome": format!("{:?}", finished.outcome),
        "living": living,
        "zombies": u8::from(matches!(zombie, Ok(Some(_)))),
    }))?;
    Ok(ExitCode::SUCCESS)
}

/// Counts the processes with this working directory.
fn processes_in(directory: &Path) -> io::Result<usize> {
    let processes = fs::read_dir("/proc")?.filter(|entry| {
        let link = entry.as_ref().map(|entry| entry.path().join("cwd"));
        let working = link.ok().and_then(|path| fs::read_link(path).ok());
        working.is_some_and(|working| working == directory)
    });
    Ok(processes.count())
}

/// Executes this program with other arguments under the restrictions of AWS Lambda.
fn jailed(arguments: &[&str]) -> io::Result<ExitCode> {
    jail::restrict_thread()?;
    Err(Command::new("/proc/self/exe").args(arguments).exec())
}

/// Prints what protects this process.
fn hardening() -> io::Result<ExitCode> {
    let hardening = sandbox::harden_parent();
    print(&json!({
        "not_dumpable": hardening.not_dumpable,
        "no_core_dumps": hardening.no_core_dumps,
    }))?;
    Ok(ExitCode::SUCCESS)
}

/// Starts an unconfined child that reads this process's environment.
fn spied_on(hardened: bool) -> io::Result<ExitCode> {
    if hardened {
        sandbox::harden_parent();
    }
    let status = Command::new("/proc/self/exe")
        .arg("spy")
        .env_clear()
        .status()?;
    Ok(ExitCode::from(status.code().unwrap_or(255) as u8))
}

fn spy() -> io::Result<ExitCode> {
    let parent = std::os::unix::process::parent_id();
    stdout().write_all(&fs::read(format!("/proc/{parent}/environ"))?)?;
    Ok(ExitCode::SUCCESS)
}

fn spying() -> Work {
    let parent = std::process::id();
    Work::Entry {
        name: "files".to_owned(),
        request: json!([format!("/proc/{parent}/environ"), "/etc/passwd"]),
    }
}

fn sleeping() -> Work {
    Work::Program {
        executable: "/bin/sh".into(),
        args: vec!["-c".into(), "echo $$ > pid; exec sleep 1000".into()],
        env: Vec::new(),
    }
}

/// Prints the outcome of writing an endless file, for a parent that was started with ignored signals.
fn full_file(scratch: &Path) -> io::Result<ExitCode> {
    let job = Job {
        work: Work::Program {
            executable: "/bin/sh".into(),
            args: vec!["-c".into(), "exec cat /dev/zero > file".into()],
            env: Vec::new(),
        },
        scratch,
        readable: &[],
        network: Network::None,
        limits: Limits {
            file_size: 1 << 20,
            scratch: u64::MAX,
            wall: Duration::from_secs(3),
            ..Limits::default()
        },
    };
    let finished = sandbox::run(&Launcher::current(), &job, &AtomicBool::new(false))
        .map_err(io::Error::other)?;
    write!(stdout(), "{:?}", finished.outcome)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs work in a child of this executable, from a hardened parent.
fn sandboxed(base: &Path, work: Work) -> io::Result<ExitCode> {
    sandbox::harden_parent();
    let scratch = Scratch::create(Some(base)).map_err(io::Error::other)?;
    let job = Job {
        work,
        scratch: scratch.path(),
        readable: &[],
        network: Network::None,
        limits: Limits::default(),
    };
    let finished = sandbox::run(&Launcher::current(), &job, &AtomicBool::new(false))
        .map_err(io::Error::other)?;
    stdout().write_all(&finished.stdout)?;
    Ok(ExitCode::SUCCESS)
}
