//! The child's side: answers readiness checks and waits for the request.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _, stdout};
use std::os::fd::AsFd as _;

use serde_json::Value;

use super::READY;

/// Waits in a [`super::PrewarmedChild`] for its request; `None` if the parent closed the connection or sent invalid JSON.
/// `is_healthy` is called for each readiness check. Call this function once; afterwards, standard output is used as in any
/// other child.
pub fn await_work(is_healthy: &mut dyn FnMut() -> bool) -> Option<Value> {
    let socket = stdout().as_fd().try_clone_to_owned().ok()?;
    let mut socket = BufReader::new(File::from(socket));
    loop {
        let mut text = String::new();
        if socket.read_line(&mut text).ok()? == 0 {
            return None;
        }
        if text != "\n" {
            return serde_json::from_str(&text).ok();
        }
        if !is_healthy() {
            return None;
        }
        socket.get_mut().write_all(READY).ok()?;
    }
}
