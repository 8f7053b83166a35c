//! What the options of an operation come to, for those who do it and those who check its result.

use domain::operation::{
    ConvertOptions, ILLUSTRATED, MetadataOptions, MetadataText, Operation, PictureTreatment,
};

use crate::{Fault, Outcome};

/// The options of a conversion.
///
/// # Errors
/// [`Fault::Installation`] if the operation is another one.
pub fn conversion(operation: &Operation) -> Outcome<&ConvertOptions> {
    match operation {
        Operation::Convert(options) => Ok(options),
        _ => Err(Fault::Installation("not a conversion".to_owned())),
    }
}

/// Whether pictures are wanted, and the result has a place for them.
pub fn keeps_pictures(options: &ConvertOptions) -> bool {
    let wanted = options.images.unwrap_or_default() == PictureTreatment::Keep;
    wanted && ILLUSTRATED.contains(&options.format)
}

/// A text that is to be set, and what it is called in the information dictionary.
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
    use domain::format::Format;
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
    fn pictures_are_kept_where_they_are_wanted_and_have_a_place() {
        let expected = [Format::Docx, Format::Pptx, Format::Html, Format::Json];
        assert_eq!(keeping("keep"), expected);
        assert_eq!(keeping("drop"), []);
    }
}
