//! Schema of the formats route, built from the tables of formats, conversions, operations and plans.

use std::collections::BTreeMap;

use domain::format::{Category, Format};
use domain::operation::{CONVERSIONS, ConvertOptions, Fidelity, LANGUAGES, OPERATIONS, Operation};
use domain::plan::{PLANS, Plan, PlanLimits};
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::API_VERSION;
use crate::schema::without_null_defaults;

/// A format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormatEntry {
    /// Name of the format in requests.
    pub id: Format,
    /// Media type.
    pub mime_type: String,
    /// File extensions without the dot, of all files that are read as this format; the usual one is first.
    pub extensions: Vec<String>,
    /// Category of the format.
    pub category: Category,
}

/// A supported target format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConversionEntry {
    /// Target format.
    pub format: Format,
    /// Always `convert`.
    pub operation: String,
    /// Price in credits.
    pub credits: u32,
    /// How much of the document the conversion keeps.
    pub quality: Fidelity,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OperationEntry {
    /// Name of the operation in requests.
    pub name: String,
    /// Supported input formats.
    pub inputs: Vec<Format>,
    /// Output formats; empty if the result keeps the format of the source.
    pub output: Vec<Format>,
    /// Price in credits.
    pub credits: u32,
    /// JSON Schema of the options.
    pub options: Value,
}

/// Limits of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LimitEntry {
    /// Name of the plan.
    pub plan: Plan,
    /// Maximum size of a document in bytes.
    pub file_bytes: u64,
    /// Maximum number of pages of a document.
    pub pages: u32,
    /// Maximum side of an output image in pixels.
    pub image_side: u32,
    /// Requests per second and key.
    pub requests_per_second: u32,
}

/// Supported formats, conversions and operations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Formats {
    /// Version of the API.
    pub version: String,
    /// Every supported format.
    pub formats: Vec<FormatEntry>,
    /// The supported conversions of each format.
    pub conversions: BTreeMap<String, Vec<ConversionEntry>>,
    /// Every operation.
    pub operations: Vec<OperationEntry>,
    /// OCR languages as Tesseract codes. BCP 47 tags such as `de` or `pt-BR` are accepted, too.
    pub languages: Vec<String>,
    /// Limits of each plan.
    pub limits: Vec<LimitEntry>,
}

impl Formats {
    /// Creates the response from the tables.
    #[must_use]
    pub fn of_tables() -> Self {
        Self {
            version: API_VERSION.to_owned(),
            formats: Format::ALL
                .iter()
                .map(|format| format_entry(*format))
                .collect(),
            conversions: conversions(),
            operations: operations(),
            languages: LANGUAGES.iter().map(|row| row.code.to_owned()).collect(),
            limits: PLANS.iter().map(limit_entry).collect(),
        }
    }
}

fn format_entry(format: Format) -> FormatEntry {
    let spec = format.spec();
    FormatEntry {
        id: format,
        mime_type: spec.mime_type.to_owned(),
        extensions: format.source_extensions().map(str::to_owned).collect(),
        category: spec.category,
    }
}

fn conversions() -> BTreeMap<String, Vec<ConversionEntry>> {
    let mut all: BTreeMap<String, Vec<ConversionEntry>> = BTreeMap::new();
    for conversion in CONVERSIONS {
        for from in conversion.from {
            all.entry(from.id().to_owned())
                .or_default()
                .push(ConversionEntry {
                    format: conversion.to,
                    operation: "convert".to_owned(),
                    credits: Operation::Convert(ConvertOptions::to(conversion.to)).credits(),
                    quality: conversion.fidelity,
                });
        }
    }
    all
}

fn operations() -> Vec<OperationEntry> {
    let entry = |spec: &domain::operation::OperationSpec| {
        let (inputs, output) = match spec.name {
            "convert" => (every(|c| c.from.to_vec()), every(|c| vec![c.to])),
            _ => (spec.inputs.to_vec(), spec.outputs.to_vec()),
        };
        let options =
            without_null_defaults((spec.options)(&mut SchemaGenerator::default()).to_value());
        OperationEntry {
            name: spec.name.to_owned(),
            inputs,
            output,
            credits: spec.credits,
            options,
        }
    };
    OPERATIONS.iter().map(entry).collect()
}

fn every(of: impl Fn(&domain::operation::Conversion) -> Vec<Format>) -> Vec<Format> {
    let mut formats: Vec<_> = CONVERSIONS.iter().flat_map(of).collect();
    formats.sort_unstable();
    formats.dedup();
    formats
}

fn limit_entry(limits: &PlanLimits) -> LimitEntry {
    LimitEntry {
        plan: limits.plan,
        file_bytes: limits.file_bytes,
        pages: limits.pages,
        image_side: limits.image_side,
        requests_per_second: limits.burst,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_format_is_supported() {
        let formats = Formats::of_tables();
        for entry in &formats.formats {
            let written = formats
                .conversions
                .values()
                .flatten()
                .any(|target| target.format == entry.id);
            let read = formats.conversions.contains_key(entry.id.id());
            let worked_on = formats.operations.iter().any(|operation| {
                operation.inputs.contains(&entry.id) || operation.output.contains(&entry.id)
            });
            assert!(read || written || worked_on, "{}", entry.id);
        }
    }

    #[test]
    fn options_are_closed_schemas_with_bounds() {
        let formats = Formats::of_tables();
        let compress = formats
            .operations
            .iter()
            .find(|entry| entry.name == "compress")
            .unwrap();
        assert_eq!(compress.options["additionalProperties"], false);
        assert!(
            compress.options.to_string().contains(r#""maximum":100"#),
            "{}",
            compress.options
        );
    }
}
