//! Hidden sheets and slides of a loaded document.

use serde_json::Value;

use super::Document;

/// Maximum number of parts that are asked for.
const MAX_PARTS: i32 = 10_000;

impl Document<'_> {
    /// The number of hidden sheets or slides; 0 in versions of LibreOffice that do not report it.
    #[must_use]
    pub fn hidden_parts(&self) -> u32 {
        let parts = 0..self.loaded.parts().min(MAX_PARTS);
        let is_hidden = |part: &i32| is_hidden(&self.loaded.part_info(&self.kit.office, *part));
        parts.filter(is_hidden).map(|_| 1).sum()
    }
}

/// Sheets report a number, slides a text.
fn is_hidden(info: &str) -> bool {
    let info: Option<Value> = serde_json::from_str(info).ok();
    let visible = info.as_ref().and_then(|info| info.get("visible"));
    visible.is_some_and(|visible| visible.as_u64() == Some(0) || visible.as_str() == Some("0"))
}

#[cfg(test)]
mod tests {
    use super::is_hidden;

    #[test]
    fn hidden_parts_are_not_visible() {
        assert!(is_hidden(r#"{"visible":0}"#));
        assert!(is_hidden(r#"{"visible":"0","selected":"1"}"#));
        for info in [r#"{"visible":1}"#, r#"{"visible":"1"}"#, "{}", ""] {
            assert!(!is_hidden(info), "{info}");
        }
    }
}
