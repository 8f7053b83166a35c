//! Interpretation of operation options that engines and verification share.

use domain::format::Format;
use domain::operation::{
    ConvertOptions, FillOptions, ImageHandling, Locale, MetadataOptions, MetadataText, Operation,
    SanitizeOptions, WITH_IMAGES,
};

use crate::{TaskError, TaskResult};

/// Returns the options of a conversion.
///
/// # Errors
/// [`TaskError::Installation`] if the operation is not a conversion.
pub fn conversion(operation: &Operation) -> TaskResult<&ConvertOptions> {
    match operation {
        Operation::Convert(options) => Ok(options),
        _ => Err(TaskError::Installation("not a conversion".to_owned())),
    }
}

/// Returns the options of `fill`.
///
/// # Errors
/// [`TaskError::Installation`] if the operation is another.
pub fn fill(operation: &Operation) -> TaskResult<&FillOptions> {
    match operation {
        Operation::Fill(options) => Ok(options),
        _ => Err(TaskError::Installation("operation is not fill".to_owned())),
    }
}

/// Returns the options of `sanitize`.
///
/// # Errors
/// [`TaskError::Installation`] if the operation is another.
pub fn sanitize(operation: &Operation) -> TaskResult<&SanitizeOptions> {
    match operation {
        Operation::Sanitize(options) => Ok(options),
        _ => Err(TaskError::Installation(
            "operation is not sanitize".to_owned(),
        )),
    }
}

/// Returns the locale of an operation.
pub fn locale(operation: &Operation) -> Locale {
    match operation {
        Operation::Convert(options) => options.locale(),
        _ => Locale::default(),
    }
}

/// Whether the result has to contain the images of the source: they are requested and the format supports them.
pub fn keeps_pictures(options: &ConvertOptions) -> bool {
    let default = match options.format {
        // Programs that read Markdown rarely expect data URLs or an archive.
        Format::Markdown => ImageHandling::Drop,
        _ => ImageHandling::Embed,
    };
    let wanted = options.images.unwrap_or(default) != ImageHandling::Drop;
    wanted && WITH_IMAGES.contains(&options.format)
}

/// Returns the metadata texts to set, with their keys in the information dictionary.
pub fn metadata_texts(options: &MetadataOptions) -> Vec<(&'static str, &str)> {
    let all = [
        ("Title", &options.title),
        ("Author", &options.author),
        ("Subject", &options.subject),
        ("Keywords", &options.keywords),
    ];
    let given = all.into_iter();
    given
        .filter_map(|(key, text)| Some((key, text.as_ref().map(MetadataText::as_str)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use domain::operation::STRUCTURED;

    use super::*;

    fn keeping(images: &str) -> Vec<Format> {
        let keeps = |format: &&Format| {
            let options = serde_json::json!({"format": format, "images": images});
            keeps_pictures(&serde_json::from_value(options).unwrap())
        };
        STRUCTURED.iter().filter(keeps).copied().collect()
    }

    #[test]
    fn images_are_kept_if_requested_and_supported_by_the_format() {
        assert_eq!(keeping("keep"), WITH_IMAGES);
        assert_eq!(keeping("embed"), WITH_IMAGES);
        assert_eq!(keeping("drop"), []);
        assert!(keeps_pictures(&ConvertOptions::to(Format::Html)));
        assert!(!keeps_pictures(&ConvertOptions::to(Format::Markdown)));
    }
}
