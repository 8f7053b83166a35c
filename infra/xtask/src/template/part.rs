//! Template fragments with `<<placeholders>>`.

use std::path::Path;

/// The text of `infra/template/{name}.yaml` with its placeholders replaced by `values`.
///
/// # Errors
/// The file cannot be read, or a placeholder has no value.
pub(super) fn part(root: &Path, name: &str, values: &[(&str, String)]) -> Result<String, String> {
    let file = format!("infra/template/{name}.yaml");
    let text = std::fs::read_to_string(root.join(&file));
    let text = text.map_err(|error| format!("{file}: {error}"))?;
    let filled = values.iter().fold(text, |text, (name, value)| {
        text.replace(&format!("<<{name}>>"), value)
    });
    match filled.split_once("<<") {
        Some((_, rest)) => Err(format!(
            "{file}: no value for the placeholder <<{}",
            first_line(rest)
        )),
        None => Ok(filled),
    }
}

/// The role of a function with its log group: `infra/template/role.yaml` around the statements in `roles/{name}.yaml`.
///
/// # Errors
/// A file cannot be read, or a placeholder has no value.
pub(super) fn role(root: &Path, name: &str, values: &[(&str, String)]) -> Result<String, String> {
    let statements = [("statements", part(root, &format!("roles/{name}"), values)?)];
    part(root, "role", &[&statements[..], values].concat())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text)
}
