//! Parsing of an item of `operations`, `steps` or `pipeline`, and its validation for the format of the document.

use serde_json::Value;

use super::{
    CompressOptions, EncryptOptions, Fit, MetadataOptions, OPERATIONS, Operation, OptimizeOptions,
    ResizeOptions, SplitOptions, holds_metadata,
};
use crate::field::{self, FieldError};
use crate::format::Format;
use crate::source::unavailable;

/// Why an item of `operations` is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidOperation {
    /// The operation is unknown.
    Unknown(FieldError),
    /// The language is not installed.
    Language(FieldError),
    /// A source key has the wrong form, and therefore names no upload.
    Source(FieldError),
    /// The item is not an object, or an option is invalid.
    Options(Vec<FieldError>),
}

impl Operation {
    /// Parses `{"operation": name, …options}`. `path` is the JSONPath of the item.
    ///
    /// # Errors
    /// [`InvalidOperation`] with the path of each invalid member.
    pub fn read(item: &Value, path: &str) -> Result<Self, InvalidOperation> {
        let options = |error| InvalidOperation::Options(vec![error]);
        let Value::Object(members) = item else {
            return Err(options(FieldError::invalid(path, "must be an object")));
        };
        let at = field::member(path, "operation");
        let name = match members.get("operation") {
            Some(Value::String(name)) => name,
            Some(_) => return Err(options(FieldError::invalid(at, "must be a string"))),
            None => return Err(options(FieldError::new(at, "missing_field", "is required"))),
        };
        let Some(spec) = OPERATIONS.iter().find(|spec| spec.is_named(name)) else {
            let message = "is not a supported operation; see GET /formats";
            let error = FieldError::new(at, "unsupported_operation", message);
            return Err(InvalidOperation::Unknown(error));
        };
        let mut members = members.clone();
        members.shift_remove("operation");
        let members = Value::Object(members);
        let read =
            (spec.read)(&members, path).map_err(|errors| classify(errors, &members, path))?;
        read.check(path).map_err(options)?;
        Ok(read)
    }

    /// Parses the items of the array `member` of a request body.
    ///
    /// # Errors
    /// [`InvalidOperation`] of the first invalid item.
    pub fn read_all(items: &[Value], member: &str) -> Result<Vec<Self>, InvalidOperation> {
        let read = |(index, item)| Self::read(item, &format!("$.{member}[{index}]"));
        items.iter().enumerate().map(read).collect()
    }

    /// Checks the rules that the types of the options do not enforce.
    fn check(&self, path: &str) -> Result<(), FieldError> {
        let message = match self {
            Self::Convert(options) => return options.check(path),
            Self::Resize(options) if options.width.is_none() && options.height.is_none() => {
                "requires `width` or `height`"
            }
            Self::Resize(options)
                if options.position.is_some()
                    && !matches!(options.fit, Some(Fit::Cover | Fit::Pad)) =>
            {
                "accepts `position` only when `fit` is `cover` or `pad`"
            }
            Self::Resize(options)
                if options.background.is_some() && options.fit != Some(Fit::Pad) =>
            {
                "accepts `background` only when `fit` is `pad`"
            }
            Self::Resize(ResizeOptions {
                fit: Some(Fit::Cover | Fit::Fill | Fit::Pad),
                width,
                height,
                ..
            }) if width.is_none() || height.is_none() => {
                "requires `width` and `height` when `fit` is `cover`, `fill` or `pad`"
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
                "requires one of `deskew`, `denoise`, `binarize` and `trim` to be true"
            }
            Self::Merge(options) if !(1..=19).contains(&options.source_keys.len()) => {
                "requires 1 to 19 `sourceKeys`"
            }
            Self::Split(SplitOptions {
                ranges: Some(_),
                every: Some(_),
            }) => "accepts either `ranges` or `every`",
            Self::Split(SplitOptions {
                ranges: Some(ranges),
                ..
            }) if !(1..=1_000).contains(&ranges.len()) => "accepts 1 to 1,000 `ranges`",
            Self::Encrypt(EncryptOptions {
                user_password: None,
                owner_password: None,
                ..
            }) => "requires `userPassword` or `ownerPassword`",
            Self::Watermark(options) if options.text.is_some() == options.source_key.is_some() => {
                "requires either `text` or `sourceKey`"
            }
            Self::Watermark(options)
                if options
                    .text
                    .as_ref()
                    .is_some_and(|text| text.as_str().trim().is_empty()) =>
            {
                "requires a `text` that is not blank"
            }
            Self::Metadata(options) if *options == MetadataOptions::default() => {
                "requires one of `title`, `author`, `subject` and `keywords`"
            }
            _ => return Ok(()),
        };
        Err(FieldError::new(path, "invalid_step", message))
    }

    /// Returns the operation as it applies to a document of format `from`: `compress` of a PDF becomes `optimize`.
    ///
    /// # Errors
    /// The option that does not apply to such a document.
    pub fn on(self, from: Format, path: &str) -> Result<Self, FieldError> {
        let inapplicable = |name: &str| {
            let message = format!("is not supported for {from}");
            FieldError::new(field::member(path, name), "invalid_step", message)
        };
        match self {
            Self::Convert(options) => match options.inapplicable_option(from) {
                Some((name, message)) => {
                    let path = field::member(path, name);
                    Err(FieldError::new(path, "invalid_step", message))
                }
                None => Ok(Self::Convert(options)),
            },
            Self::Compress(options) if from == Format::Pdf => match image_option(&options) {
                Some(name) => Err(inapplicable(name)),
                None => Ok(Self::Optimize(OptimizeOptions {
                    level: options.level,
                    quality: options.quality,
                    linearize: options.linearize,
                })),
            },
            Self::Compress(ref options) if options.level.is_some() => Err(inapplicable("level")),
            Self::Compress(ref options) if options.linearize.is_some() => {
                Err(inapplicable("linearize"))
            }
            Self::Compress(ref options)
                if options.keep_metadata.is_some()
                    && !(holds_metadata(from) && options.format.is_none_or(holds_metadata)) =>
            {
                Err(inapplicable("keepMetadata"))
            }
            Self::Resize(ref options)
                if options.keep_metadata.is_some() && !holds_metadata(from) =>
            {
                Err(inapplicable("keepMetadata"))
            }
            Self::Rotate(ref options) if from != Format::Pdf && options.pages.is_some() => {
                Err(inapplicable("pages"))
            }
            other => Ok(other),
        }
    }
}

fn image_option(options: &CompressOptions) -> Option<&'static str> {
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

/// Classifies the errors of an operation's members: a rejected string in `language` is an unsupported language, a rejected
/// string in `sourceKey` or `sourceKeys` names no upload, and all others are invalid options.
fn classify(errors: Vec<FieldError>, members: &Value, path: &str) -> InvalidOperation {
    let Some(error) = errors
        .iter()
        .find(|error| is_rejected_name(error, members, path))
    else {
        return InvalidOperation::Options(errors);
    };
    if error.path == field::member(path, "language") {
        return InvalidOperation::Language(FieldError {
            code: "unsupported_language".to_owned(),
            ..error.clone()
        });
    }
    InvalidOperation::Source(unavailable(&error.path))
}

/// Whether the error is about a string that names a language or a source.
fn is_rejected_name(error: &FieldError, members: &Value, path: &str) -> bool {
    let one = ["language", "sourceKey"].map(|name| (name.to_owned(), members.get(name)));
    let keys = members.get("sourceKeys").and_then(Value::as_array);
    let keys = keys.into_iter().flatten().enumerate();
    let several = keys.map(|(index, key)| (format!("sourceKeys[{index}]"), Some(key)));
    one.into_iter().chain(several).any(|(name, value)| {
        error.path == field::member(path, &name) && value.is_some_and(Value::is_string)
    })
}
