//! Shape of the formats route: what the tables of formats, conversions, operations and plans say.

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
    /// The name in requests.
    pub id: Format,
    /// The media type.
    pub mime_type: String,
    /// File extensions without the dot, the usual one first.
    pub extensions: Vec<String>,
    /// What kind of document it holds.
    pub category: Category,
}

/// A target that a format can be converted to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConversionEntry {
    /// The target.
    pub format: Format,
    /// Always `convert`.
    pub operation: String,
    /// The price.
    pub credits: u32,
    /// How much of the document it keeps.
    pub quality: Fidelity,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OperationEntry {
    /// The name in `operations`.
    pub name: String,
    /// Formats that it reads.
    pub inputs: Vec<Format>,
    /// Formats that it writes.
    pub output: Vec<Format>,
    /// The price.
    pub credits: u32,
    /// JSON Schema of its options.
    pub options: Value,
}

/// What a plan allows of one document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LimitEntry {
    /// The plan.
    pub plan: Plan,
    /// Largest size in bytes.
    pub file_bytes: u64,
    /// Most pages.
    pub pages: u32,
    /// Longest side of an image that is put out, in pixels.
    pub image_side: u32,
    /// Requests a second and key.
    pub requests_per_second: u32,
}

/// Everything that this service converts and does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Formats {
    /// The version of the API.
    pub version: String,
    /// Every format that is read or written.
    pub formats: Vec<FormatEntry>,
    /// For each format, what it can be converted to.
    pub conversions: BTreeMap<String, Vec<ConversionEntry>>,
    /// Every operation.
    pub operations: Vec<OperationEntry>,
    /// Languages of text recognition, as Tesseract calls them; BCP 47 tags such as `de` or `pt-BR` mean the same.
    pub languages: Vec<String>,
    /// What each plan allows.
    pub limits: Vec<LimitEntry>,
}

impl Formats {
    /// What the tables say.
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
    let facts = format.facts();
    FormatEntry {
        id: format,
        mime_type: facts.mime_type.to_owned(),
        extensions: facts
            .extensions
            .iter()
            .map(|name| (*name).to_owned())
            .collect(),
        category: facts.category,
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
    let entry = |facts: &domain::operation::OperationFacts| {
        let (inputs, output) = match facts.name {
            "convert" => (every(|c| c.from.to_vec()), every(|c| vec![c.to])),
            _ => (facts.inputs.to_vec(), facts.outputs.to_vec()),
        };
        let options =
            without_null_defaults((facts.options)(&mut SchemaGenerator::default()).to_value());
        OperationEntry {
            name: facts.name.to_owned(),
            inputs,
            output,
            credits: facts.credits,
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
    fn every_format_listed_is_read_or_written() {
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
