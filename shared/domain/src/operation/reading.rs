//! Reading an item of `operations`, `steps` or `pipeline`, and judging it for the document that it meets.

use serde_json::Value;

use super::{
    CompressOptions, EncryptOptions, Fit, MetadataOptions, OPERATIONS, Operation, OptimiseOptions,
    ResizeOptions, SplitOptions, holds_metadata,
};
use crate::field::{self, FieldError};
use crate::format::Format;
use crate::source::unavailable;

/// Why an item of `operations` cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidOperation {
    /// It names no operation of the table.
    Unknown(FieldError),
    /// It names a language that is not installed.
    Language(FieldError),
    /// It names a source by what is no source key, and so one that is not there.
    Source(FieldError),
    /// Its form or options are wrong.
    Options(Vec<FieldError>),
}

impl Operation {
    /// Reads `{"operation": name, …options}` at `path`.
    ///
    /// # Errors
    /// [`InvalidOperation`] with the path of each fault.
    pub fn read(item: &Value, path: &str) -> Result<Self, InvalidOperation> {
        let options = |fault| InvalidOperation::Options(vec![fault]);
        let Value::Object(members) = item else {
            return Err(options(FieldError::invalid(path, "must be an object")));
        };
        let at = field::member(path, "operation");
        let name = match members.get("operation") {
            Some(Value::String(name)) => name,
            Some(_) => return Err(options(FieldError::invalid(at, "must be a string"))),
            None => return Err(options(FieldError::new(at, "missing_field", "is required"))),
        };
        let Some(facts) = OPERATIONS.iter().find(|facts| facts.is_named(name)) else {
            let message = "is not an operation of this service (see GET /formats)";
            let fault = FieldError::new(at, "unsupported_operation", message);
            return Err(InvalidOperation::Unknown(fault));
        };
        let mut members = members.clone();
        members.shift_remove("operation");
        let members = Value::Object(members);
        let read =
            (facts.read)(&members, path).map_err(|faults| refused(faults, &members, path))?;
        read.check(path).map_err(options)?;
        Ok(read)
    }

    /// Reads the items of a member of a body.
    ///
    /// # Errors
    /// [`InvalidOperation`] of the first item that cannot be read.
    pub fn read_all(items: &[Value], member: &str) -> Result<Vec<Self>, InvalidOperation> {
        let read = |(index, item)| Self::read(item, &format!("$.{member}[{index}]"));
        items.iter().enumerate().map(read).collect()
    }

    /// What the types of the options cannot say.
    fn check(&self, path: &str) -> Result<(), FieldError> {
        let message = match self {
            Self::Convert(options) => return options.check(path),
            Self::Resize(options) if options.width.is_none() && options.height.is_none() => {
                "needs `width` or `height`"
            }
            Self::Resize(options)
                if options.position.is_some()
                    && !matches!(options.fit, Some(Fit::Cover | Fit::Pad)) =>
            {
                "takes `position` with the fits `cover` and `pad` alone"
            }
            Self::Resize(options)
                if options.background.is_some() && options.fit != Some(Fit::Pad) =>
            {
                "takes `background` with the fit `pad` alone"
            }
            Self::Resize(ResizeOptions {
                fit: Some(Fit::Cover | Fit::Fill | Fit::Pad),
                width,
                height,
                ..
            }) if width.is_none() || height.is_none() => {
                "needs `width` and `height` with the fits `cover`, `fill` and `pad`"
            }
            Self::Cleanup(options)
                if ![
                    options.deskew,
                    options.denoise,
                    options.binarize,
                    options.trim,
                ]
                .contains(&Some(true)) =>
            {
                "needs one of `deskew`, `denoise`, `binarize` and `trim` to be true"
            }
            Self::Merge(options) if !(1..=19).contains(&options.source_keys.len()) => {
                "needs 1 to 19 `sourceKeys`, which follow the document"
            }
            Self::Split(SplitOptions {
                ranges: Some(_),
                every: Some(_),
            }) => "takes either `ranges` or `every`",
            Self::Split(SplitOptions {
                ranges: Some(ranges),
                ..
            }) if !(1..=1_000).contains(&ranges.len()) => "takes 1 to 1,000 `ranges`",
            Self::Encrypt(EncryptOptions {
                user_password: None,
                owner_password: None,
                ..
            }) => "needs `userPassword` or `ownerPassword`",
            Self::Watermark(options) if options.text.is_some() == options.source_key.is_some() => {
                "needs either `text` or `sourceKey`"
            }
            Self::Watermark(options)
                if options
                    .text
                    .as_ref()
                    .is_some_and(|text| text.as_str().trim().is_empty()) =>
            {
                "needs a `text` that can be seen"
            }
            Self::Metadata(options) if *options == MetadataOptions::default() => {
                "needs one of `title`, `author`, `subject` and `keywords`"
            }
            _ => return Ok(()),
        };
        Err(FieldError::new(path, "invalid_step", message))
    }

    /// This operation as it is done on a document of format `from`; `path` is its own.
    ///
    /// # Errors
    /// The option that means nothing on such a document.
    pub fn on(self, from: Format, path: &str) -> Result<Self, FieldError> {
        let misplaced = |name: &str| {
            let message = format!("means nothing on {from}");
            FieldError::new(field::member(path, name), "invalid_step", message)
        };
        match self {
            Self::Convert(options) => match options.misplaced(from) {
                Some((name, message)) => {
                    let path = field::member(path, name);
                    Err(FieldError::new(path, "invalid_step", message))
                }
                None => Ok(Self::Convert(options)),
            },
            Self::Compress(options) if from == Format::Pdf => match only_for_images(&options) {
                Some(name) => Err(misplaced(name)),
                None => Ok(Self::Optimise(OptimiseOptions {
                    level: options.level,
                    quality: options.quality,
                    linearize: options.linearize,
                })),
            },
            Self::Compress(ref options) if options.level.is_some() => Err(misplaced("level")),
            Self::Compress(ref options) if options.linearize.is_some() => {
                Err(misplaced("linearize"))
            }
            Self::Compress(ref options)
                if options.keep_metadata.is_some()
                    && !(holds_metadata(from) && options.format.is_none_or(holds_metadata)) =>
            {
                Err(misplaced("keepMetadata"))
            }
            Self::Resize(ref options)
                if options.keep_metadata.is_some() && !holds_metadata(from) =>
            {
                Err(misplaced("keepMetadata"))
            }
            Self::Rotate(ref options) if from != Format::Pdf && options.pages.is_some() => {
                Err(misplaced("pages"))
            }
            other => Ok(other),
        }
    }
}

fn only_for_images(options: &CompressOptions) -> Option<&'static str> {
    let other_format = options.format.is_some_and(|format| format != Format::Pdf);
    if other_format {
        return Some("format");
    }
    if options.max_width.is_some() {
        return Some("maxWidth");
    }
    if options.keep_metadata.is_some() {
        return Some("keepMetadata");
    }
    options.max_height.is_some().then_some("maxHeight")
}

/// A language that is a text and yet cannot be read is one that is not installed, and such a source key one that names
/// nothing.
fn refused(faults: Vec<FieldError>, members: &Value, path: &str) -> InvalidOperation {
    let Some(fault) = faults.iter().find(|fault| is_of_text(fault, members, path)) else {
        return InvalidOperation::Options(faults);
    };
    if fault.path == field::member(path, "language") {
        return InvalidOperation::Language(FieldError {
            code: "unsupported_language".to_owned(),
            ..fault.clone()
        });
    }
    InvalidOperation::Source(unavailable(&fault.path))
}

/// Whether a fault is about a text that names a language or a source.
fn is_of_text(fault: &FieldError, members: &Value, path: &str) -> bool {
    let one = ["language", "sourceKey"].map(|name| (name.to_owned(), members.get(name)));
    let keys = members.get("sourceKeys").and_then(Value::as_array);
    let keys = keys.into_iter().flatten().enumerate();
    let several = keys.map(|(index, key)| (format!("sourceKeys[{index}]"), Some(key)));
    one.into_iter().chain(several).any(|(name, value)| {
        fault.path == field::member(path, &name) && value.is_some_and(Value::is_string)
    })
}
