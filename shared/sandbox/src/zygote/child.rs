//! The zygote's side: loads shared resources, then forks for each request until the connection is closed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Error, stdin};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;

use rustix::stdio::dup2_stdin;

use super::message;
use crate::child::{Entry, thread_names};
use crate::fork::become_child;
use crate::launcher::ZYGOTE;
use crate::parent::harden_parent;
use crate::unchecked;

/// Runs the zygote if this process was started as one; otherwise returns. Must be called first in `main`, before any thread
/// is started. `prepare` loads shared resources and must leave no thread running; `serve` returns the fork's exit code.
pub fn enter(prepare: fn(&Path), serve: &dyn Fn(Entry) -> u8) {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|argument| argument != ZYGOTE) {
        return;
    }
    let preparation = arguments.next().unwrap_or_default();
    let code = match connection() {
        Ok(connection) => {
            prepare(Path::new(&preparation));
            i32::from(serve_requests(&connection, serve).is_err())
        }
        Err(_) => 1,
    };
    unchecked::exit_now(code)
}

/// Takes the connection to the parent from standard input and closes all other inherited descriptors.
fn connection() -> std::io::Result<OwnedFd> {
    unchecked::close_inherited_descriptors(&[])?;
    harden_parent();
    let connection = stdin().as_fd().try_clone_to_owned()?;
    dup2_stdin(File::open("/dev/null")?)?;
    Ok(connection)
}

fn serve_requests(connection: &OwnedFd, serve: &dyn Fn(Entry) -> u8) -> std::io::Result<()> {
    if thread_names().len() != 1 {
        return Err(Error::other("a zygote must be single-threaded"));
    }
    while let Some(descriptors) = message::receive_request(connection)? {
        match unchecked::fork_sibling() {
            Ok(None) => {
                let [setup, stdout, stderr, lifeline] = descriptors;
                become_child([setup, stdout, stderr], lifeline, &|entry| {
                    serve_in_scratch(entry, serve)
                })
            }
            Ok(Some(fork)) => message::send_response(connection, Some(fork))?,
            Err(_) => message::send_response(connection, None)?,
        }
    }
    Ok(())
}

/// Sets `HOME` and `TMPDIR` to the scratch directory, as in a child that was started, and serves the entry.
fn serve_in_scratch(entry: Entry, serve: &dyn Fn(Entry) -> u8) -> u8 {
    let Ok(home) = std::env::current_dir() else {
        return 1;
    };
    for variable in ["HOME", "TMPDIR"] {
        unchecked::set_variable(OsStr::new(variable), home.as_os_str());
    }
    serve(entry)
}
