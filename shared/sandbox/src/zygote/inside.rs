//! The zygote's side: prepares, and then forks for each order until nobody gives any.

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

/// Becomes a zygote if this process was started as one, and returns if not. To be called first thing in `main`, before there
/// are threads. `prepare` loads what forks need and leaves no thread; `serve` answers with a fork's exit code.
pub fn enter(prepare: fn(&Path), serve: &dyn Fn(Entry) -> u8) {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|argument| argument != ZYGOTE) {
        return;
    }
    let preparation = arguments.next().unwrap_or_default();
    let code = match connection() {
        Ok(connection) => {
            prepare(Path::new(&preparation));
            i32::from(obey(&connection, serve).is_err())
        }
        Err(_) => 1,
    };
    unchecked::end(code)
}

/// The connection to the processor, which is standard input, and nothing else that the processor had open.
fn connection() -> std::io::Result<OwnedFd> {
    unchecked::close_inherited_descriptors()?;
    harden_parent().map_err(Error::other)?;
    let connection = stdin().as_fd().try_clone_to_owned()?;
    dup2_stdin(File::open("/dev/null")?)?;
    Ok(connection)
}

fn obey(connection: &OwnedFd, serve: &dyn Fn(Entry) -> u8) -> std::io::Result<()> {
    if thread_names().len() != 1 {
        return Err(Error::other("a process of one thread forks"));
    }
    while let Some(ends) = message::receive_order(connection)? {
        match unchecked::fork_sibling() {
            Ok(None) => become_child(ends, &|entry| serve_at_home(entry, serve)),
            Ok(Some(fork)) => message::send_answer(connection, Some(fork))?,
            Err(_) => message::send_answer(connection, None)?,
        }
    }
    Ok(())
}

/// A child that is started has its working directory, the scratch directory, in its environment.
fn serve_at_home(entry: Entry, serve: &dyn Fn(Entry) -> u8) -> u8 {
    let Ok(home) = std::env::current_dir() else {
        return 1;
    };
    for variable in ["HOME", "TMPDIR"] {
        unchecked::set_variable(OsStr::new(variable), home.as_os_str());
    }
    serve(entry)
}
