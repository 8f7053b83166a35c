//! Options of LibreOffice's PDF export filter as typed JSON [LibreOffice help, "PDF Export Command Line Parameters"].

use domain::operation::ConvertOptions;
use serde_json::{Map, Value, json};

use crate::operation::page_selection::format_ranges;

/// Returns the options; `pages` selects pages.
pub(super) fn options(requested: &ConvertOptions, pages: Option<&[u32]>) -> String {
    let mut options = Map::new();
    let mut set = |name: &str, kind: &str, value: String| {
        options.insert(name.to_owned(), json!({"type": kind, "value": value}));
    };
    let mut switch = |name: &str, on: Option<bool>| {
        if let Some(on) = on {
            set(name, "boolean", on.to_string());
        }
    };
    // Comments are internal to the document.
    switch("ExportNotes", Some(false));
    switch("UseTaggedPDF", Some(requested.tagged.unwrap_or(true)));
    switch("ExportNotesPages", requested.notes);
    switch(
        "ReduceImageResolution",
        requested.image_resolution.map(|_| true),
    );
    switch(
        "UseLosslessCompression",
        requested.image_quality.map(|_| false),
    );
    if let Some(quality) = requested.image_quality {
        set("Quality", "long", quality.value().to_string());
    }
    if let Some(resolution) = requested.image_resolution {
        set("MaxImageResolution", "long", resolution.value().to_string());
    }
    if let Some(pages) = pages {
        set("PageRange", "string", format_ranges(pages));
    }
    Value::Object(options).to_string()
}

#[cfg(test)]
mod tests {
    use domain::format::Format;
    use domain::operation::{Quality, Resolution};

    use super::*;

    #[test]
    fn only_requested_options_are_set_and_tagging_by_default() {
        let requested = ConvertOptions::to(Format::Pdf);
        let tagged = r#"{"ExportNotes":{"type":"boolean","value":"false"},"UseTaggedPDF":{"type":"boolean","value":"true"}}"#;
        assert_eq!(options(&requested, None), tagged);
        let requested = ConvertOptions {
            tagged: Some(false),
            image_quality: Quality::try_from(40).ok(),
            image_resolution: Resolution::try_from(150).ok(),
            notes: Some(true),
            ..requested
        };
        let set: Value = serde_json::from_str(&options(&requested, Some(&[2, 3]))).unwrap();
        for (name, value) in [
            ("UseTaggedPDF", "false"),
            ("Quality", "40"),
            ("UseLosslessCompression", "false"),
            ("ReduceImageResolution", "true"),
            ("MaxImageResolution", "150"),
            ("ExportNotesPages", "true"),
            ("PageRange", "2-3"),
        ] {
            assert_eq!(set[name]["value"], value, "{name}");
        }
    }
}
