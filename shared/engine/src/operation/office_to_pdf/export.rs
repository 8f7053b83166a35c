//! How LibreOffice is to write PDF: the options of its export filter, as JSON with a type for each [LibreOffice help, "PDF
//! Export Command Line Parameters"].

use domain::operation::ConvertOptions;
use serde_json::{Map, Value, json};

use crate::operation::kept_pages::written;

/// The text of the options; `pages` are the ones to keep.
pub(super) fn options(asked: &ConvertOptions, pages: Option<&[u32]>) -> String {
    let mut options = Map::new();
    let mut set = |name: &str, kind: &str, value: String| {
        options.insert(name.to_owned(), json!({"type": kind, "value": value}));
    };
    let mut switch = |name: &str, on: Option<bool>| {
        if let Some(on) = on {
            set(name, "boolean", on.to_string());
        }
    };
    switch("UseTaggedPDF", Some(asked.tagged.unwrap_or(true)));
    switch("ExportNotesPages", asked.notes);
    switch(
        "ReduceImageResolution",
        asked.image_resolution.map(|_| true),
    );
    switch("UseLosslessCompression", asked.image_quality.map(|_| false));
    if let Some(quality) = asked.image_quality {
        set("Quality", "long", quality.value().to_string());
    }
    if let Some(resolution) = asked.image_resolution {
        set("MaxImageResolution", "long", resolution.value().to_string());
    }
    if let Some(pages) = pages {
        set("PageRange", "string", written(pages));
    }
    Value::Object(options).to_string()
}

#[cfg(test)]
mod tests {
    use domain::format::Format;
    use domain::operation::{Quality, Resolution};

    use super::*;

    #[test]
    fn only_what_is_asked_for_is_set_but_tags_are() {
        let asked = ConvertOptions::to(Format::Pdf);
        let tagged = r#"{"UseTaggedPDF":{"type":"boolean","value":"true"}}"#;
        assert_eq!(options(&asked, None), tagged);
        let asked = ConvertOptions {
            tagged: Some(false),
            image_quality: Quality::try_from(40).ok(),
            image_resolution: Resolution::try_from(150).ok(),
            notes: Some(true),
            ..asked
        };
        let set: Value = serde_json::from_str(&options(&asked, Some(&[2, 3]))).unwrap();
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
