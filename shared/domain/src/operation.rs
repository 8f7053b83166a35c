//! The table of operations: their names, options, prices, and which format becomes which.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::field::{self, FieldError};
use crate::format::Format;

/// A queue and the function behind it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Processor {
    /// Office documents.
    ProcessOffice,
    /// PDF.
    ProcessPdf,
    /// Images.
    ProcessImage,
}

impl Processor {
    /// Every processor.
    pub const ALL: [Processor; 3] = [Self::ProcessOffice, Self::ProcessPdf, Self::ProcessImage];

    /// The name of the function and its queue.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ProcessOffice => "process-office",
            Self::ProcessPdf => "process-pdf",
            Self::ProcessImage => "process-image",
        }
    }

    /// Reads a name, with or without `process-`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let matches = |processor: &Self| {
            processor.name() == name || processor.name().strip_prefix("process-") == Some(name)
        };
        Self::ALL.into_iter().find(matches)
    }
}

/// Quality of a lossy encoder: 1 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "i64", into = "i64")]
#[schemars(with = "u8", extend("minimum" = 1, "maximum" = 100))]
pub struct Quality(u8);

impl Quality {
    /// The value, 1 to 100.
    #[must_use]
    pub fn value(self) -> u8 {
        self.0
    }
}

impl Default for Quality {
    fn default() -> Self {
        Self(80)
    }
}

impl TryFrom<i64> for Quality {
    type Error = String;

    fn try_from(value: i64) -> Result<Self, String> {
        match u8::try_from(value) {
            Ok(value @ 1..=100) => Ok(Self(value)),
            _ => Err("must be a whole number from 1 to 100".to_owned()),
        }
    }
}

impl From<Quality> for i64 {
    fn from(quality: Quality) -> i64 {
        i64::from(quality.0)
    }
}

/// A side of an image in pixels: 1 to 65,535.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "i64", into = "i64")]
#[schemars(with = "u16", extend("minimum" = 1, "maximum" = 65_535))]
pub struct Pixels(u32);

impl Pixels {
    /// The value.
    #[must_use]
    pub fn value(self) -> u32 {
        self.0
    }
}

impl TryFrom<i64> for Pixels {
    type Error = String;

    fn try_from(value: i64) -> Result<Self, String> {
        match u32::try_from(value) {
            Ok(value @ 1..=65_535) => Ok(Self(value)),
            _ => Err("must be a whole number from 1 to 65535".to_owned()),
        }
    }
}

impl From<Pixels> for i64 {
    fn from(pixels: Pixels) -> i64 {
        i64::from(pixels.0)
    }
}

/// Options of `convert`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ConvertOptions {
    /// The format to convert to.
    pub format: Format,
}

/// Options of `compress`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CompressOptions {
    /// Quality of a lossy encoder; 80 when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Quality")]
    pub quality: Option<Quality>,
    /// Another image format for the result; the source's own when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Format")]
    pub format: Option<Format>,
    /// Most pixels across; a wider image is scaled down, keeping its aspect.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Pixels")]
    pub max_width: Option<Pixels>,
    /// Most pixels down; a taller image is scaled down, keeping its aspect.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Pixels")]
    pub max_height: Option<Pixels>,
}

/// One step of a job: an operation with its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "kebab-case")]
pub enum Operation {
    /// Turns a document into another format.
    Convert(ConvertOptions),
    /// Makes an image smaller.
    Compress(CompressOptions),
}

/// One row of the table of operations.
#[derive(Clone, Copy)]
pub struct OperationFacts {
    /// The name in the API.
    pub name: &'static str,
    /// Price in credits.
    pub credits: u32,
    /// What it reads; for `convert` see [`CONVERSIONS`].
    pub inputs: &'static [Format],
    /// What it writes; empty where the result keeps the format of the source.
    pub outputs: &'static [Format],
    /// The JSON Schema of its options, without the member `operation`.
    pub options: fn(&mut SchemaGenerator) -> Schema,
    read: fn(&Value, &str) -> Result<Operation, Vec<FieldError>>,
}

/// Images that `compress` reads and writes.
const COMPRESSIBLE: &[Format] = &[Format::Jpeg, Format::Png, Format::Webp];

/// Every operation.
pub const OPERATIONS: &[OperationFacts] = &[
    OperationFacts {
        name: "convert",
        credits: 2,
        inputs: &[],
        outputs: &[],
        options: |generator| generator.root_schema_for::<ConvertOptions>(),
        read: |value, path| field::read(value, path).map(Operation::Convert),
    },
    OperationFacts {
        name: "compress",
        credits: 1,
        inputs: COMPRESSIBLE,
        outputs: COMPRESSIBLE,
        options: |generator| generator.root_schema_for::<CompressOptions>(),
        read: |value, path| field::read(value, path).map(Operation::Compress),
    },
];

/// How much of a document a conversion keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fidelity {
    /// Pages look as in the source.
    Layout,
    /// Pixels of each page.
    Picture,
    /// Words only.
    Text,
}

/// One group of conversions that one engine does.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// The formats read.
    pub from: &'static [Format],
    /// The format written.
    pub to: Format,
    /// Who does it.
    pub processor: Processor,
    /// How much of the document it keeps.
    pub fidelity: Fidelity,
}

/// Every conversion.
pub const CONVERSIONS: &[Conversion] = &[
    Conversion {
        from: &[
            Format::Docx,
            Format::Doc,
            Format::Odt,
            Format::Rtf,
            Format::Txt,
            Format::Xlsx,
            Format::Xls,
            Format::Ods,
            Format::Csv,
            Format::Pptx,
            Format::Ppt,
            Format::Odp,
        ],
        to: Format::Pdf,
        processor: Processor::ProcessOffice,
        fidelity: Fidelity::Layout,
    },
    Conversion {
        from: &[Format::Pdf],
        to: Format::Png,
        processor: Processor::ProcessPdf,
        fidelity: Fidelity::Picture,
    },
    Conversion {
        from: &[Format::Pdf],
        to: Format::Jpeg,
        processor: Processor::ProcessPdf,
        fidelity: Fidelity::Picture,
    },
    Conversion {
        from: &[Format::Pdf],
        to: Format::Txt,
        processor: Processor::ProcessPdf,
        fidelity: Fidelity::Text,
    },
    Conversion {
        from: &[
            Format::Png,
            Format::Jpeg,
            Format::Webp,
            Format::Tiff,
            Format::Gif,
            Format::Bmp,
        ],
        to: Format::Pdf,
        processor: Processor::ProcessImage,
        fidelity: Fidelity::Picture,
    },
];

/// The conversion from one format to another, when there is one.
#[must_use]
pub fn conversion(from: Format, to: Format) -> Option<&'static Conversion> {
    CONVERSIONS
        .iter()
        .find(|conversion| conversion.to == to && conversion.from.contains(&from))
}

/// Why an item of `operations` cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidOperation {
    /// It names no operation of the table.
    Unknown(FieldError),
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
        let Some(facts) = OPERATIONS.iter().find(|facts| facts.name == name) else {
            let message = "is not an operation of this service (see GET /formats)";
            return Err(InvalidOperation::Unknown(FieldError::new(
                at,
                "unsupported_operation",
                message,
            )));
        };
        let mut members = members.clone();
        members.shift_remove("operation");
        (facts.read)(&Value::Object(members), path).map_err(InvalidOperation::Options)
    }

    /// The name in the API.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Convert(_) => "convert",
            Self::Compress(_) => "compress",
        }
    }

    /// This operation's row of the table.
    #[must_use]
    pub fn facts(&self) -> Option<&'static OperationFacts> {
        OPERATIONS.iter().find(|facts| facts.name == self.name())
    }

    /// Price in credits.
    #[must_use]
    pub fn credits(&self) -> u32 {
        self.facts().map_or(0, |facts| facts.credits)
    }

    /// Who does this to a document of format `from`, and what it leaves; `None` when nobody can.
    #[must_use]
    pub fn resolve(&self, from: Format) -> Option<(Processor, Format)> {
        match self {
            Self::Convert(options) => conversion(from, options.format)
                .map(|conversion| (conversion.processor, conversion.to)),
            Self::Compress(options) => {
                let to = options.format.unwrap_or(from);
                (COMPRESSIBLE.contains(&from) && COMPRESSIBLE.contains(&to))
                    .then_some((Processor::ProcessImage, to))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_operation_reads_with_its_options_and_writes_back_the_same() {
        let item = json!({"operation": "compress", "quality": 70, "maxWidth": 800});
        let operation = Operation::read(&item, "$.operations[0]").unwrap();
        assert_eq!(serde_json::to_value(&operation).unwrap(), item);
        assert_eq!(
            operation.resolve(Format::Png),
            Some((Processor::ProcessImage, Format::Png))
        );
        assert_eq!(operation.resolve(Format::Pdf), None);
    }

    #[test]
    fn faults_are_named_by_path() {
        let fault = |item: Value| match Operation::read(&item, "$.operations[1]").unwrap_err() {
            InvalidOperation::Unknown(fault) => (fault.path, fault.code),
            InvalidOperation::Options(faults) => (faults[0].path.clone(), faults[0].code.clone()),
        };
        assert_eq!(
            fault(json!({"operation": "shred"})),
            (
                "$.operations[1].operation".into(),
                "unsupported_operation".into()
            )
        );
        assert_eq!(
            fault(json!({})),
            ("$.operations[1].operation".into(), "missing_field".into())
        );
        assert_eq!(
            fault(json!(7)),
            ("$.operations[1]".into(), "invalid_value".into())
        );
        assert_eq!(
            fault(json!({"operation": "compress", "colour": 1})),
            ("$.operations[1].colour".into(), "unknown_field".into())
        );
        for quality in [json!(0), json!(101), json!("80"), json!(1.5), json!(null)] {
            assert_eq!(
                fault(json!({"operation": "compress", "quality": quality})),
                ("$.operations[1].quality".into(), "invalid_value".into())
            );
        }
    }

    #[test]
    fn no_pair_of_formats_is_listed_twice() {
        let mut pairs: Vec<_> = CONVERSIONS
            .iter()
            .flat_map(|c| c.from.iter().map(|from| (*from, c.to)))
            .collect();
        let count = pairs.len();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), count);
    }

    #[test]
    fn every_variant_has_a_row_under_its_own_name() {
        for facts in OPERATIONS {
            let item = match facts.name {
                "convert" => json!({"operation": "convert", "format": "pdf"}),
                name => json!({"operation": name}),
            };
            let operation = Operation::read(&item, "$").unwrap();
            assert_eq!(operation.name(), facts.name);
            assert_eq!(operation.credits(), facts.credits);
        }
    }
}
