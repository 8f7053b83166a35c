//! Output intents and color spaces.

use std::collections::HashSet;

use serde_json::Value;

use super::icc::IccHeader;
use super::objects::{Dict, Document};
use super::{Clauses, Report};
use crate::pdf_a::file::LIMITS;

/// The color space of the output intent; `None` if the file has no valid one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct OutputIntent(pub(super) Option<[u8; 4]>);

const INTENTS: Clauses = ["6.2.2", "6.2.3"];
const ICC_BASED: Clauses = ["6.2.3.2", "6.2.4.2"];
const DEVICE: Clauses = ["6.2.3.3", "6.2.4.3"];
const SPOT_COLORS: Clauses = ["6.2.3.4", "6.2.4.4"];

/// Maximum depth of color spaces within each other.
const MAX_DEPTH: u32 = 8;

/// Checks the output intents and returns the color space of that of PDF/A.
pub(super) fn output_intent(document: &Document<'_>, report: &mut Report) -> OutputIntent {
    let graph = document.graph;
    let Some(catalog) = graph.catalog() else {
        return OutputIntent(None);
    };
    let mut profiles: Vec<&Value> = Vec::new();
    let mut has_intent = false;
    let intents = graph.items(catalog, "/OutputIntents");
    for intent in intents.iter().filter_map(|intent| graph.dictionary(intent)) {
        let is_of_pdf_a = graph.name(intent, "/S") == Some("/GTS_PDFA1");
        has_intent |= is_of_pdf_a;
        if let Some(profile) = intent.get("/DestOutputProfile") {
            profiles.push(profile);
        } else if is_of_pdf_a {
            report.add("", INTENTS, "the output intent has no profile");
        }
        let is_remote = intent.contains_key("/DestOutputProfileRef");
        let reason = "an output intent refers to a profile elsewhere";
        report.require(!is_remote, "", ["", "6.2.3"], reason);
    }
    let Some(profile) = profiles.first() else {
        return OutputIntent(None);
    };
    let is_one = profiles.iter().all(|other| other == profile);
    report.require(
        is_one,
        "",
        INTENTS,
        "output intents have different profiles",
    );
    let object = profile.as_str().unwrap_or("");
    let header = document.data(profile);
    let header = header.and_then(|data| IccHeader::read(&data));
    let Some(header) = header else {
        report.add(
            object,
            INTENTS,
            "the profile of the output intent is invalid",
        );
        return OutputIntent(None);
    };
    let components = document.graph.dictionary(profile);
    let components = components.and_then(|dict| document.integer(dict, "/N"));
    let is_valid = header.is_of_output()
        && header.has_allowed_version(report)
        && header.space != *b"Lab "
        && header.components().is_some()
        && header.components() == components;
    let reason = "the profile of the output intent has another class, version or number of components than allowed";
    report.require(is_valid, object, INTENTS, reason);
    OutputIntent(has_intent.then_some(header.space))
}

/// The checks of color spaces where they are used.
pub(super) struct Colors<'a> {
    document: &'a Document<'a>,
    intent: OutputIntent,
    /// Profiles that were checked.
    profiles: HashSet<&'a str>,
}

impl<'a> Colors<'a> {
    pub(super) fn new(document: &'a Document<'a>, intent: OutputIntent) -> Self {
        Self {
            document,
            intent,
            profiles: HashSet::new(),
        }
    }

    /// Checks the use of a device color space, such as `/DeviceRGB`.
    pub(super) fn device(
        &self,
        name: &str,
        resources: Option<&Dict>,
        object: &str,
        report: &mut Report,
    ) {
        let (default, is_intended) = match name {
            "/DeviceRGB" => ("/DefaultRGB", self.intent.0 == Some(*b"RGB ")),
            "/DeviceCMYK" => ("/DefaultCMYK", self.intent.0 == Some(*b"CMYK")),
            _ => ("/DefaultGray", self.intent.0.is_some()),
        };
        let defaults = resources.and_then(|dict| self.document.dict(dict, "/ColorSpace"));
        let default = defaults.and_then(|spaces| self.document.graph.member(spaces, default));
        let is_independent = default.is_some_and(Value::is_array);
        let reason = "a device color space is used that the output intent does not define";
        report.require(is_intended || is_independent, object, DEVICE, reason);
    }

    /// Checks the use of a color space by its value: a name or an array.
    pub(super) fn space(
        &mut self,
        value: &'a Value,
        resources: Option<&'a Dict>,
        object: &str,
        report: &mut Report,
    ) {
        self.nested(value, resources, object, 0, report);
    }

    fn nested(
        &mut self,
        value: &'a Value,
        resources: Option<&'a Dict>,
        object: &str,
        depth: u32,
        report: &mut Report,
    ) {
        let graph = self.document.graph;
        if depth > MAX_DEPTH {
            return;
        }
        let items = match graph.resolve(value) {
            Value::String(name) => {
                return self.named(name, resources, object, depth, report);
            }
            Value::Array(items) => items.as_slice(),
            _ => return,
        };
        let item = |at: usize| items.get(at).unwrap_or(&Value::Null);
        match graph.resolve(item(0)).as_str().unwrap_or("") {
            "/ICCBased" => self.profile(item(1), report),
            "/Indexed" | "/I" | "/Pattern" => {
                self.nested(item(1), resources, object, depth + 1, report);
            }
            "/Separation" => self.nested(item(2), resources, object, depth + 1, report),
            "/DeviceN" => {
                self.colorants(graph.resolve(item(1)), item(4), object, report);
                self.nested(item(2), resources, object, depth + 1, report);
            }
            name => self.named(name, resources, object, depth, report),
        }
    }

    /// Checks the use of a color space by the name of the space or of a resource.
    fn named(
        &mut self,
        name: &str,
        resources: Option<&'a Dict>,
        object: &str,
        depth: u32,
        report: &mut Report,
    ) {
        match name {
            "/DeviceRGB" | "/RGB" => self.device("/DeviceRGB", resources, object, report),
            "/DeviceCMYK" | "/CMYK" => self.device("/DeviceCMYK", resources, object, report),
            "/DeviceGray" | "/G" => self.device("/DeviceGray", resources, object, report),
            "/Pattern" | "/CalGray" | "/CalRGB" | "/Lab" => {}
            name => {
                let spaces = resources.and_then(|dict| self.document.dict(dict, "/ColorSpace"));
                match spaces.and_then(|spaces| spaces.get(name)) {
                    Some(space) => self.nested(space, resources, object, depth + 1, report),
                    None => report.add(object, ["6.2.10", "6.2.2"], "a color space is missing"),
                }
            }
        }
    }

    fn profile(&mut self, reference: &'a Value, report: &mut Report) {
        let object = reference.as_str().unwrap_or("");
        if !self.profiles.insert(object) {
            return;
        }
        let header = self.document.data(reference);
        let header = header.and_then(|data| IccHeader::read(&data));
        let components = self.document.graph.dictionary(reference);
        let components = components.and_then(|dict| self.document.integer(dict, "/N"));
        let is_valid = header.is_some_and(|header| {
            let is_allowed = header.is_of_colors() && header.has_allowed_version(report);
            is_allowed && header.components().is_some() && header.components() == components
        });
        let reason = "the profile of a color space is invalid";
        report.require(is_valid, object, ICC_BASED, reason);
    }

    fn colorants(&self, names: &Value, attributes: &Value, object: &str, report: &mut Report) {
        const PROCESS: [&str; 5] = ["/Cyan", "/Magenta", "/Yellow", "/Black", "/None"];
        let names = names.as_array().map_or(&[][..], Vec::as_slice);
        let most = if report.is_part_1() { 8 } else { 32 };
        let reason = "a color space has too many components";
        report.require(names.len() <= most, object, LIMITS, reason);
        let attributes = self.document.graph.dictionary(attributes);
        let described = attributes.and_then(|dict| self.document.dict(dict, "/Colorants"));
        let process = attributes.and_then(|dict| self.document.dict(dict, "/Process"));
        let process = process.map_or(&[][..], |dict| {
            self.document.graph.items(dict, "/Components")
        });
        let mut names = names.iter();
        let is_described = names.all(|name| {
            let text = name.as_str().unwrap_or("");
            PROCESS.contains(&text)
                || process.contains(name)
                || described.is_some_and(|dict| dict.contains_key(text))
        });
        let reason = "a spot color of DeviceN is not described";
        report.require(is_described, object, ["", SPOT_COLORS[1]], reason);
    }
}
