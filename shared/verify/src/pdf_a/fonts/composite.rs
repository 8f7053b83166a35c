//! Type 0 fonts and their CIDFonts [ISO 32000-1, 9.7].

use serde_json::Value;

use super::{GLYPHS, METRICS, TOLERANCE, TYPES, UsedFont, embedded_program, is_subset};
use crate::pdf_a::font_program::{FontProgram, TrueType};
use crate::pdf_a::objects::{Dict, Document};
use crate::pdf_a::{Clauses, Report};

const COLLECTIONS: Clauses = ["6.3.3.1", "6.2.11.3.1"];
const CID_FONTS: Clauses = ["6.3.3.2", "6.2.11.3.2"];
const CMAPS: Clauses = ["6.3.3.3", "6.2.11.3.3"];
const SUBSETS: Clauses = ["6.3.5", ""];

/// The predefined CMaps of ISO 32000-1, table 118, without their writing mode, by the ordering of their collection.
const PREDEFINED: [(&str, &str); 4] = [
    (
        "GB1",
        " GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16 ",
    ),
    (
        "CNS1",
        " B5pc HKscs-B5 ETen-B5 ETenms-B5 CNS-EUC UniCNS-UCS2 UniCNS-UTF16 ",
    ),
    (
        "Japan1",
        " 83pv-RKSJ 90ms-RKSJ 90msp-RKSJ 90pv-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16 ",
    ),
    (
        "Korea1",
        " KSC-EUC KSCms-UHC KSCms-UHC-HW KSCpc-EUC UniKS-UCS2 UniKS-UTF16 ",
    ),
];

/// Checks a Type 0 font.
pub(super) fn check(font: &UsedFont<'_>, document: &Document<'_>, report: &mut Report) {
    let object = font.object;
    let Some(descendant) = descendant(document, font.dict) else {
        return report.add(object, TYPES, "a composite font has no CIDFont");
    };
    let subtype = document.graph.name(descendant, "/Subtype").unwrap_or("");
    let is_cid_font = matches!(subtype, "/CIDFontType0" | "/CIDFontType2");
    report.require(is_cid_font, object, TYPES, "a CIDFont has no valid type");
    check_encoding(document, object, font.dict, descendant, report);
    if !font.is_visible {
        return;
    }
    let data = embedded_program(document, descendant, object, report);
    let data = data.unwrap_or_default();
    let descriptor = document.dict(descendant, "/FontDescriptor");
    let has_list = descriptor.is_some_and(|dict| dict.contains_key("/CIDSet"));
    let is_listed = !is_subset(document, descendant) || has_list;
    let reason = "a subset of a font does not list its characters";
    report.require(is_listed, object, SUBSETS, reason);
    if subtype == "/CIDFontType2" {
        check_true_type(font, document, descendant, FontProgram::read(&data), report);
    }
}

fn descendant<'a>(document: &'a Document<'_>, font: &'a Dict) -> Option<&'a Dict> {
    let descendants = document.graph.items(font, "/DescendantFonts");
    document.graph.dictionary(descendants.first()?)
}

/// Registry and ordering of a character collection.
fn collection<'a>(document: &'a Document<'_>, dict: &'a Dict) -> Option<[&'a str; 2]> {
    let info = document.dict(dict, "/CIDSystemInfo")?;
    let text = |key| {
        document
            .graph
            .member(info, key)?
            .as_str()?
            .strip_prefix("u:")
    };
    Some([text("/Registry")?, text("/Ordering")?])
}

fn check_encoding(
    document: &Document<'_>,
    object: &str,
    font: &Dict,
    descendant: &Dict,
    report: &mut Report,
) {
    let encoding = font.get("/Encoding").unwrap_or(&Value::Null);
    let own = collection(document, descendant);
    report.require(
        own.is_some(),
        object,
        COLLECTIONS,
        "a CIDFont has no collection",
    );
    let name = document.graph.resolve(encoding).as_str();
    let known = match name {
        Some("/Identity-H" | "/Identity-V") => return,
        Some(name) => predefined(name).map(|ordering| ["Adobe", ordering]),
        None => match document.graph.dictionary(encoding) {
            Some(cmap) => {
                let bases = cmap.get("/UseCMap").and_then(Value::as_str);
                let is_known =
                    bases.is_none_or(|base| !base.starts_with('/') || predefined(base).is_some());
                let reason = "a character map is neither predefined nor embedded";
                report.require(is_known, object, CMAPS, reason);
                collection(document, cmap)
            }
            None => None,
        },
    };
    let is_available = known.is_some() && !(report.is_part_1() && name.is_some());
    let reason = "a character map is neither predefined nor embedded";
    report.require(is_available, object, CMAPS, reason);
    let is_compatible = known.is_none() || known == own;
    let reason = "a CIDFont has another collection than its character map";
    report.require(is_compatible, object, COLLECTIONS, reason);
}

/// The ordering of a predefined CMap.
fn predefined(name: &str) -> Option<&'static str> {
    if matches!(name, "/H" | "/V") {
        return Some("Japan1");
    }
    let name = name.strip_prefix('/')?;
    let name = name
        .strip_suffix("-H")
        .or_else(|| name.strip_suffix("-V"))?;
    let mut found = PREDEFINED.iter();
    let found = found.find(|(_, names)| names.contains(&format!(" {name} ")));
    found.map(|(ordering, _)| *ordering)
}

/// Whether the collection of a font defines Unicode values.
pub(super) fn has_known_collection(document: &Document<'_>, font: &Dict) -> bool {
    let collection = descendant(document, font).and_then(|dict| collection(document, dict));
    collection.is_some_and(|[registry, ordering]| {
        registry == "Adobe" && PREDEFINED.iter().any(|(known, _)| *known == ordering)
    })
}

fn check_true_type(
    font: &UsedFont<'_>,
    document: &Document<'_>,
    descendant: &Dict,
    program: Option<FontProgram<'_>>,
    report: &mut Report,
) {
    let object = font.object;
    let map = descendant.get("/CIDToGIDMap");
    let is_identity = map.map(|map| document.graph.resolve(map)) == Some(&Value::from("/Identity"));
    let table = map.and_then(|map| document.data(map));
    let reason = "a TrueType CIDFont has no map from characters to glyphs";
    report.require(is_identity || table.is_some(), object, CID_FONTS, reason);
    let encoding = document.graph.name(font.dict, "/Encoding");
    let is_direct = matches!(encoding, Some("/Identity-H" | "/Identity-V"));
    let Some(FontProgram::TrueType(program)) = program.filter(|_| is_direct) else {
        return;
    };
    let widths = Widths::read(document, descendant);
    for cid in &font.visible {
        let index = usize::try_from(*cid)
            .unwrap_or(usize::MAX)
            .saturating_mul(2);
        let glyph = match &table {
            Some(table) => table.get(index..index.saturating_add(2)).map(super::number),
            None => Some(*cid),
        };
        let glyph = glyph.and_then(|glyph| u16::try_from(glyph).ok());
        check_glyph(&program, &widths, *cid, glyph, object, report);
    }
}

fn check_glyph(
    program: &TrueType<'_>,
    widths: &Widths,
    cid: u32,
    glyph: Option<u16>,
    object: &str,
    report: &mut Report,
) {
    let Some(glyph) = glyph.filter(|glyph| *glyph < program.glyphs) else {
        return report.add(object, GLYPHS, "a glyph is missing in the font program");
    };
    let reason = "a character is shown that the font does not define";
    report.require(glyph != 0, object, ["", "6.2.11.8"], reason);
    let stated = widths.of(cid);
    let is_same = program
        .width(glyph)
        .is_some_and(|width| (width - stated).abs() <= TOLERANCE);
    let reason = "widths differ from those of the font program";
    report.require(is_same, object, METRICS, reason);
}

/// The widths of a CIDFont.
struct Widths {
    default: f64,
    /// The first and last CID of a range and their width.
    ranges: Vec<(u32, u32, f64)>,
}

impl Widths {
    fn read(document: &Document<'_>, font: &Dict) -> Self {
        let graph = document.graph;
        let default = graph.member(font, "/DW").and_then(Value::as_f64);
        let mut ranges = Vec::new();
        let mut items = graph
            .items(font, "/W")
            .iter()
            .map(|item| graph.resolve(item));
        let cid = |value: &Value| value.as_u64().and_then(|cid| u32::try_from(cid).ok());
        while let (Some(first), Some(second)) = (items.next().and_then(cid), items.next()) {
            if let Value::Array(widths) = second {
                for (cid, width) in (first..).zip(widths) {
                    let width = graph.resolve(width).as_f64().unwrap_or(0.0);
                    ranges.push((cid, cid, width));
                }
            } else if let (Some(last), Some(width)) = (cid(second), items.next()) {
                ranges.push((first, last, width.as_f64().unwrap_or(0.0)));
            }
        }
        ranges.sort_by_key(|range| range.0);
        Self {
            default: default.unwrap_or(1000.0),
            ranges,
        }
    }

    fn of(&self, cid: u32) -> f64 {
        let end = self.ranges.partition_point(|range| range.0 <= cid);
        let found = end.checked_sub(1).and_then(|at| self.ranges.get(at));
        let found = found.filter(|range| cid <= range.1);
        found.map_or(self.default, |range| range.2)
    }
}
