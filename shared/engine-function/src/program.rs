//! Executes this program again in the same process: a new address space, without credentials and without the children of this
//! one.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::environment;

/// Executes this program again with the same arguments, and the environment without what it does not need. Returns only if
/// that fails.
pub(crate) fn execute_again() -> io::Error {
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return error,
    };
    let mut arguments = std::env::args_os();
    let mut command = Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    command.args(arguments);
    for name in environment::unneeded() {
        command.env_remove(name);
    }
    command.exec()
}
