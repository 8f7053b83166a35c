//! The child's side: waits to be told its work.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _, stdout};
use std::os::fd::AsFd as _;

use serde_json::Value;

use super::SIGN_OF_LIFE;

/// Waits in a child that was begun as a [`super::Standby`] for what it is asked; `None` if it is asked nothing any more, or
/// something that makes no sense. `is_well` tells whether it can still do its work, when that is about to come. To be called
/// once; afterwards standard output is what it is in any child.
pub fn await_work(is_well: &mut dyn FnMut() -> bool) -> Option<Value> {
    let line = stdout().as_fd().try_clone_to_owned().ok()?;
    let mut line = BufReader::new(File::from(line));
    loop {
        let mut text = String::new();
        if line.read_line(&mut text).ok()? == 0 {
            return None;
        }
        if text != "\n" {
            return serde_json::from_str(&text).ok();
        }
        if !is_well() {
            return None;
        }
        line.get_mut().write_all(SIGN_OF_LIFE).ok()?;
    }
}
