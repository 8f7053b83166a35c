//! A launcher that misbehaves on demand: each entry is one attack by an engine that a hostile document exploits.

#[path = "sandbox-fixture/attributes.rs"]
mod attributes;
#[path = "sandbox-fixture/escapes.rs"]
mod escapes;
#[path = "sandbox-fixture/jail.rs"]
mod jail;
#[path = "sandbox-fixture/parent.rs"]
mod parent;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _, stderr, stdout};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::net::ipproto::MPTCP;
use rustix::net::{
    AddressFamily, SendFlags, SocketAddrUnix, SocketType, bind, connect, listen, sendto, socket,
};
use rustix::process::{Pid, Resource, Rlimit, Signal, getpid, kill_process, prlimit, setsid};
use sandbox::{EXIT_SCRATCH_FULL, Entry};
use serde_json::{Value, json};

/// The process id of the zygote; 0 if this process is not a fork of one.
static ZYGOTE: AtomicU32 = AtomicU32::new(0);

fn main() -> ExitCode {
    sandbox::zygote::enter(
        |_| ZYGOTE.store(std::process::id(), Ordering::Relaxed),
        &|entry| exit_code(serve(&entry)),
    );
    let done = match sandbox::child::enter() {
        Some(entry) => serve(&entry),
        None => parent::play(),
    };
    match done {
        Ok(code) => code,
        Err(error) if is_full(&error) => ExitCode::from(EXIT_SCRATCH_FULL as u8),
        Err(error) => {
            writeln!(stderr(), "{error}").ok();
            ExitCode::FAILURE
        }
    }
}

/// The exit code of a fork.
fn exit_code(served: io::Result<ExitCode>) -> u8 {
    match served {
        Ok(_) => 0,
        Err(error) if is_full(&error) => EXIT_SCRATCH_FULL as u8,
        Err(_) => 1,
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::FileTooLarge
    )
}

fn serve(entry: &Entry) -> io::Result<ExitCode> {
    match entry.name.as_str() {
        "echo" => print(&entry.request)?,
        "prewarmed" => return serve_prewarmed(&entry.request),
        "length" => print(&json!(text(&entry.request, "text").len()))?,
        "zygote" => print(&json!(ZYGOTE.load(Ordering::Relaxed)))?,
        "environment" => print(&environment()?)?,
        "sockets" => print(&sockets())?,
        "proxied sockets" => print(&proxied_sockets(&entry.request))?,
        "forbidden calls" => print(&forbidden_calls(&entry.request))?,
        "attributes" => print(&attributes::change()?)?,
        "files" => print(&files(&entry.request))?,
        "segmentation fault" => segmentation_fault()?,
        "abort" => std::process::abort(),
        "overflow the stack" => drop(overflow_the_stack(0)),
        "sleep" => std::thread::sleep(Duration::from_secs(1000)),
        "spin" => loop {
            std::hint::spin_loop();
        },
        "touch memory" => touch_memory(),
        "one huge allocation" => touch(Vec::with_capacity(1 << 40)),
        "one huge file" => fill(File::create("huge")?)?,
        "one deleted file" => {
            let file = File::create("deleted")?;
            fs::remove_file("deleted")?;
            fill_and_sleep(file)?;
        }
        "many small files" => many_small_files()?,
        "a full disk" => fill(File::create("/dev/full")?)?,
        "flood" => flood()?,
        "leave processes behind" => leave_processes_behind()?,
        "processes" => processes(&entry.request)?,
        "threads" => threads(&entry.request)?,
        other => return Err(io::Error::other(format!("unknown entry {other}"))),
    }
    Ok(ExitCode::SUCCESS)
}

/// Uses the given CPU seconds for its start-up, then serves the request that it receives, or fails readiness checks if the
/// request says `unhealthy`.
fn serve_prewarmed(request: &Value) -> io::Result<ExitCode> {
    let seconds = request.get("seconds").and_then(Value::as_u64).unwrap_or(0);
    while cpu_seconds()? < seconds {
        (0..1_000_000).for_each(|_| std::hint::spin_loop());
    }
    let is_healthy = request.get("unhealthy").is_none();
    let request = sandbox::await_work(&mut || is_healthy);
    let request = request.ok_or_else(|| io::Error::other("no request was received"))?;
    serve(&Entry {
        name: text(&request, "name").to_owned(),
        request: request.get("request").cloned().unwrap_or_default(),
    })
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value
        .get(member)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// CPU time of this process in seconds [proc_pid_stat(5)], assuming 100 ticks per second.
fn cpu_seconds() -> io::Result<u64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_ascii_whitespace().skip(11).take(2);
    Ok(ticks
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum::<u64>()
        / 100)
}

fn print(value: &Value) -> io::Result<()> {
    serde_json::to_writer(stdout(), value)?;
    stdout().flush()
}

fn environment() -> io::Result<Value> {
    let variables: BTreeMap<String, String> = std::env::vars().collect();
    let descriptors: Vec<String> = fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let target = fs::read_link(entry.path()).ok()?;
            let own_listing = target.ends_with("fd");
            (!own_listing).then(|| entry.file_name().to_string_lossy().into_owned())
        })
        .collect();
    Ok(json!({
        "variables": variables,
        "descriptors": descriptors,
        "directory": std::env::current_dir()?,
        "arguments": std::env::args().collect::<Vec<_>>(),
        "umask": rustix::process::umask(Mode::empty()).bits(),
    }))
}

/// The result of a system call: "granted" or the error.
fn attempt<T>(result: rustix::io::Result<T>) -> Value {
    match result {
        Ok(_) => json!("granted"),
        Err(Errno::ACCESS) => json!("EACCES"),
        Err(Errno::PERM) => json!("EPERM"),
        Err(errno) => json!(errno.to_string()),
    }
}

fn sockets() -> Value {
    let family = |family, kind| attempt(socket(family, kind, None));
    let server = || {
        let server = socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
        bind(&server, &SocketAddrUnix::new("server")?)?;
        listen(&server, 1)
    };
    let client = || {
        let client = socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
        connect(&client, &SocketAddrUnix::new("server")?)
    };
    json!({
        "tcp": family(AddressFamily::INET, SocketType::STREAM),
        "tcp6": family(AddressFamily::INET6, SocketType::STREAM),
        "udp": family(AddressFamily::INET, SocketType::DGRAM),
        "udp6": family(AddressFamily::INET6, SocketType::DGRAM),
        "raw": family(AddressFamily::INET, SocketType::RAW),
        "netlink": family(AddressFamily::NETLINK, SocketType::RAW),
        "packet": family(AddressFamily::PACKET, SocketType::RAW),
        "vsock": family(AddressFamily::VSOCK, SocketType::STREAM),
        "unix datagram": family(AddressFamily::UNIX, SocketType::DGRAM),
        "unix server": attempt(server()),
        "unix server exists": Path::new("server").exists(),
        "unix client": attempt(client()),
    })
}

/// Tries sockets with the proxy's port and with another port.
fn proxied_sockets(request: &Value) -> Value {
    let port = |name: &str| {
        let port = request.get(name).and_then(Value::as_u64).unwrap_or(0);
        SocketAddr::from(([127, 0, 0, 1], u16::try_from(port).unwrap_or(0)))
    };
    let tcp = |protocol| socket(AddressFamily::INET, SocketType::STREAM, protocol);
    let family = |family, kind| attempt(socket(family, kind, None));
    let connected =
        |address: SocketAddr| attempt(tcp(None).and_then(|tcp| connect(&tcp, &address)));
    let fast_open = |address: SocketAddr| {
        let flags = SendFlags::from_bits_retain(0x2000_0000);
        attempt(tcp(None).and_then(|tcp| sendto(&tcp, b"x", flags, &address)))
    };
    let reached = |address: SocketAddr| match TcpStream::connect(address) {
        Ok(mut stream) => json!(stream.write_all(b"hello").is_ok()),
        Err(error) => json!(error.kind().to_string()),
    };
    json!({
        "proxy": reached(port("proxy")),
        "other port": connected(port("other")),
        "fast open": fast_open(port("proxy")),
        "multipath": attempt(tcp(Some(MPTCP))),
        "packets": family(AddressFamily::INET, SocketType::SEQPACKET),
        "tcp6": family(AddressFamily::INET6, SocketType::STREAM),
        "udp": family(AddressFamily::INET, SocketType::DGRAM),
        "udp6": family(AddressFamily::INET6, SocketType::DGRAM),
        "raw": family(AddressFamily::INET, SocketType::RAW),
        "netlink": family(AddressFamily::NETLINK, SocketType::RAW),
        "unix": family(AddressFamily::UNIX, SocketType::STREAM),
        "unix datagram": family(AddressFamily::UNIX, SocketType::DGRAM),
    })
}

fn forbidden_calls(request: &Value) -> Value {
    let pid = |key: &str| {
        let number = request.get(key).and_then(Value::as_i64).unwrap_or(0);
        Pid::from_raw(i32::try_from(number).unwrap_or(0))
    };
    let unlimited = Rlimit {
        current: None,
        maximum: None,
    };
    let to = |key: &str, call: fn(Pid) -> rustix::io::Result<()>| {
        attempt(pid(key).map_or(Err(Errno::INVAL), call))
    };
    json!({
        "leave the group": attempt(setsid()),
        "signal the parent": to("parent", |pid| kill_process(pid, Signal::CONT)),
        "signal the parent by F_SETOWN": to("parent", escapes::set_pipe_owner),
        "signal the parent by F_SETOWN_EX": to("parent", escapes::set_pipe_owner_ex),
        "signal the parent by SIOCSPGRP": to("parent", escapes::set_socket_owner),
        "start a sibling": attempt(escapes::start_sibling()),
        "limit the parent": attempt(prlimit(pid("parent"), Resource::Nofile, unlimited)),
        "hide from the parent": attempt(rustix::process::set_dumpable_behavior(
            rustix::process::DumpableBehavior::NotDumpable
        )),
        "outlive the parent": attempt(rustix::process::set_parent_process_death_signal(None)),
        "memory file": attempt(rustix::fs::memfd_create("x", rustix::fs::MemfdFlags::empty())),
        "slow the parent": attempt(rustix::process::setpriority_process(pid("parent"), 19)),
        "signal a sibling": to("sibling", |pid| kill_process(pid, Signal::CONT)),
        "queue a signal for a sibling": to("sibling", escapes::queue_a_signal),
        "signal itself": attempt(kill_process(getpid(), Signal::CONT)),
        "raise a limit": attempt(rustix::process::setrlimit(Resource::Core, unlimited)),
    })
}

/// The results of reading files, or of writing those with a leading `>`.
fn files(request: &Value) -> Value {
    let paths = request.as_array().into_iter().flatten();
    paths
        .filter_map(Value::as_str)
        .map(|path| (path.to_owned(), file(path)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn file(path: &str) -> Value {
    let result = match path.strip_prefix('>') {
        Some(path) => fs::write(path, "written").map(|()| "written".to_owned()),
        None => fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    };
    match result {
        Ok(text) => json!({ "text": text }),
        Err(error) => json!({ "refused": error.kind().to_string() }),
    }
}

fn segmentation_fault() -> io::Result<()> {
    // Rust's stack overflow handler removes itself on the first SIGSEGV.
    for _ in 0..2 {
        kill_process(getpid(), Signal::SEGV)?;
    }
    Ok(())
}

#[expect(
    unconditional_recursion,
    reason = "simulates a recursive parser on an endlessly nested document"
)]
fn overflow_the_stack(depth: u64) -> [u64; 64] {
    let deeper = overflow_the_stack(std::hint::black_box(depth + 1));
    std::hint::black_box(deeper)
}

fn touch_memory() {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    loop {
        kept.push(vec![1; 4 << 20]);
        std::hint::black_box(&kept);
    }
}

fn touch(mut bytes: Vec<u8>) {
    bytes.push(1);
    std::hint::black_box(bytes);
}

fn fill(mut file: File) -> io::Result<()> {
    let block = vec![7; 1 << 20];
    loop {
        file.write_all(&block)?;
    }
}

fn fill_and_sleep(mut file: File) -> io::Result<()> {
    file.write_all(&vec![7; 64 << 20])?;
    std::thread::sleep(Duration::from_secs(1000));
    Ok(())
}

fn many_small_files() -> io::Result<()> {
    for number in 0_u64.. {
        let directory = format!("{}", number / 500);
        fs::create_dir_all(&directory)?;
        fs::write(Path::new(&directory).join(number.to_string()), "x")?;
    }
    Ok(())
}

fn flood() -> io::Result<()> {
    let block = [b'o'; 1 << 16];
    for _ in 0..(100 << 20) / block.len() {
        stdout().write_all(&block)?;
        stderr().write_all(&block)?;
    }
    stderr().write_all(b"the end")
}

/// Starts processes that leave the group, as far as that is permitted, and ends.
fn leave_processes_behind() -> io::Result<()> {
    // In a session of its own.
    Command::new("setsid").args(["sleep", "1000"]).spawn()?;
    escapes::start_sleeping_sibling().ok();
    escapes::join_the_parent_s_group().ok();
    escapes::fork_in_a_loop().ok();
    escapes::lower_the_parent_s_limit().ok();
    // Time to leave.
    std::thread::sleep(Duration::from_millis(300));
    Ok(())
}

fn processes(request: &Value) -> io::Result<()> {
    for _ in 0..request.as_u64().unwrap_or(0) {
        Command::new("/bin/sleep").arg("1000").spawn()?;
    }
    std::thread::sleep(Duration::from_secs(1000));
    Ok(())
}

fn threads(request: &Value) -> io::Result<()> {
    let mut threads = Vec::new();
    let mut refused = None;
    for _ in 0..request.as_u64().unwrap_or(0) {
        let builder = std::thread::Builder::new().stack_size(64 << 10);
        match builder.spawn(|| std::thread::sleep(Duration::from_millis(500))) {
            Ok(thread) => threads.push(thread),
            // The running threads are still counted by the parent.
            Err(error) => {
                refused = Some(error);
                break;
            }
        }
    }
    for thread in threads {
        thread.join().map_err(|_| io::Error::other("panicked"))?;
    }
    refused.map_or(Ok(()), Err)
}
