//! A zygote whose forks convert documents, or misbehave like LibreOffice exploited by a hostile document.

use std::fs::Permissions;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use office::kit::LoadOptions;
use office::{LibreOfficeKit, LoadError};
use rustix::process::{DumpableBehavior, dumpable_behavior};
use sandbox::Entry;
use serde_json::{Value, json};

fn main() -> ExitCode {
    office::zygote::enter(&serve);
    ExitCode::FAILURE
}

fn serve(kit: &LibreOfficeKit, entry: Entry) -> u8 {
    match entry.name.as_str() {
        "convert" => print(&convert(kit, &entry.request)),
        "environment" => print(&environment()),
        "change" => print(&change(&entry.request)),
        "segmentation fault" => segmentation_fault(),
        "abort" => std::process::abort(),
        "silence" => return 7,
        "noise" => {
            // NUL bytes have the longest JSON escapes.
            std::io::stdout().write_all(&[0; 1 << 16]).ok();
            std::io::stderr().write_all(&[0; 1 << 16]).ok();
        }
        "spin" => loop {
            std::hint::spin_loop();
        },
        "sleep" => std::thread::sleep(Duration::from_secs(1_000)),
        "memory" => touch_memory(),
        "threads" => {
            std::thread::spawn(|| std::thread::sleep(Duration::from_secs(1_000)));
        }
        _ => return 1,
    }
    0
}

fn print(result: &Value) {
    writeln!(std::io::stdout(), "\n{result}").ok();
}

/// Converts as requested by `{"from", "to", "format", "options", "filter", "password", "locale"}`. Returns `{"done": true}` or
/// `{"error": …}`.
fn convert(kit: &LibreOfficeKit, request: &Value) -> Value {
    let text = |name: &str| request.get(name).and_then(Value::as_str);
    let load_options = LoadOptions {
        filter: text("filter"),
        password: text("password"),
        batch: request.get("batch").is_some(),
        locale: text("locale").unwrap_or(LoadOptions::default().locale),
    };
    let path = |name: &str| Path::new(text(name).unwrap_or_default());
    let (format, options) = (text("format"), text("options").unwrap_or_default());
    match kit.load(path("from"), load_options) {
        Ok(document) => match document.save(path("to"), format.unwrap_or("pdf"), options) {
            Ok(()) => {
                let missing = document.missing_fonts().into_iter();
                let missing: Vec<String> = missing.map(|font| font.requested).collect();
                json!({"done": true, "privateBytes": private_bytes(), "missing": missing})
            }
            Err(error) => json!({"error": error.to_string()}),
        },
        Err(LoadError::PasswordRequired) => json!({"error": "password_required"}),
        Err(LoadError::PasswordIncorrect) => json!({"error": "password_incorrect"}),
        Err(LoadError::Unreadable) => json!({"error": "unreadable"}),
    }
}

/// Private memory of this process in bytes.
fn private_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
    let lines = text.lines().filter(|line| line.starts_with("Private_"));
    let kilobytes = lines.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.sum::<u64>() * 1024
}

/// A fork's variables, descriptors, threads and directory, and the results of forbidden operations.
fn environment() -> Value {
    let descriptors = std::fs::read_dir("/proc/self/fd").into_iter().flatten();
    let descriptors: Vec<String> = descriptors
        .filter_map(|entry| {
            let target = std::fs::read_link(entry.ok()?.path()).ok()?;
            Some(target.display().to_string())
        })
        .collect();
    let names: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
    json!({
        "variables": names,
        "descriptors": descriptors,
        "threads": sandbox::thread_names().len(),
        "directory": std::env::current_dir().unwrap_or_default(),
        "dumpable": dumpable_behavior().is_ok_and(|behavior| behavior == DumpableBehavior::Dumpable),
        "network": std::net::UdpSocket::bind("127.0.0.1:0").is_ok(),
        "connection": std::net::TcpStream::connect("127.0.0.1:9").err().map(|error| error.kind().to_string()),
        "temporary": std::fs::write("/tmp/office-fixture", "x").is_ok(),
        "program": std::process::Command::new("/bin/true").status().is_ok(),
    })
}

/// Changes the profile in the directory of the request, as far as that is permitted. Returns the result of each step.
fn change(request: &Value) -> Value {
    let text = |name: &str| {
        request
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let home = Path::new(text("home"));
    let settings = home.join("user/registrymodifications.xcu");
    let mode =
        |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).is_ok();
    match text("what") {
        "permissions" => json!([mode(&settings, 0o600)]),
        "content" => json!([
            mode(&settings, 0o600),
            std::fs::write(&settings, "changed").is_ok(),
            mode(&settings, 0o444),
        ]),
        _ => json!([
            mode(home, 0o700),
            std::fs::write(home.join("new"), "").is_ok(),
            mode(home, 0o555),
        ]),
    }
}

#[expect(unsafe_code, reason = "safe code cannot cause a segmentation fault")]
fn segmentation_fault() {
    // SAFETY: the address is unmapped; the fault is intended.
    unsafe { std::ptr::null_mut::<u8>().wrapping_add(8).write_volatile(1) }
}

fn touch_memory() {
    let mut held = Vec::new();
    loop {
        let mut block = vec![0_u8; 16 * 1024 * 1024];
        block.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
        held.push(std::hint::black_box(block));
    }
}
