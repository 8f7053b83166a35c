//! A sandboxed child that does what its document `source`, in its scratch directory, says: `crash`, `hang`, `memory`, `disk`.
//! It writes any other text in upper case to `result`.

use std::fs::{File, read_to_string, write};
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use sandbox::EXIT_SCRATCH_FULL;

const MEBIBYTE: usize = 1024 * 1024;

fn main() -> ExitCode {
    if sandbox::child::enter().is_none() {
        return ExitCode::FAILURE;
    }
    match read_to_string("source").unwrap_or_default().as_str() {
        "crash" => std::process::abort(),
        "hang" => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        "memory" => exhaust_memory(),
        "disk" => fill_disk(),
        words => match write("result", words.to_uppercase()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
    }
}

fn exhaust_memory() -> ExitCode {
    let mut kept = Vec::new();
    loop {
        kept.push(vec![1_u8; MEBIBYTE]);
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn fill_disk() -> ExitCode {
    for number in 0_u64.. {
        let written = File::create(format!("filling-{number}"))
            .and_then(|mut file| file.write_all(&vec![1_u8; 4 * MEBIBYTE]));
        if written.is_err() {
            std::process::exit(EXIT_SCRATCH_FULL);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    ExitCode::FAILURE
}
