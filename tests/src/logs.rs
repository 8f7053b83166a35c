//! Logs of the functions of the running stack.

use serde_json::Value;

use crate::stack::stack;
use crate::wire::state_directory;

/// Returns every JSON line that `function` has logged since the stack started, oldest first.
pub fn of(function: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(state_directory().join("functions.log")).unwrap();
    let name = &stack().resources.functions[function];
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix(name.as_str()));
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}
