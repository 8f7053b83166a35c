//! The text of a shape.

use layout::{Alignment, Script};

use super::Reader;
use super::template::Key;
use crate::flow::{Flow, Role};
use crate::line::Line;
use crate::link;
use crate::look::{self, Look};
use crate::math;
use crate::package::Relations;
use crate::pptx::bullets::Bullets;
use crate::theme::Theme;
use crate::units;
use crate::xml::Element;

/// Names of what says how a level looks, by level.
const LEVELS: [&str; 9] = [
    "a:lvl1pPr",
    "a:lvl2pPr",
    "a:lvl3pPr",
    "a:lvl4pPr",
    "a:lvl5pPr",
    "a:lvl6pPr",
    "a:lvl7pPr",
    "a:lvl8pPr",
    "a:lvl9pPr",
];

/// Reads the text of a shape.
pub(super) fn read(reader: &mut Reader<'_>, shape: &Element, key: Option<&Key>, flow: &mut Flow) {
    if let Some(body) = shape.find("p:txBody") {
        let title = key.is_some_and(|key| matches!(key.kind.as_str(), "title" | "ctrTitle"));
        text(reader, body, key, title, flow);
    }
}

/// Reads a body of text.
pub(super) fn text(
    reader: &Reader<'_>,
    body: &Element,
    key: Option<&Key>,
    title: bool,
    flow: &mut Flow,
) {
    let mut levels: Vec<&Element> = body.find("a:lstStyle").into_iter().collect();
    levels.extend(reader.template.levels(key));
    let mut bullets = Bullets::default();
    for paragraph in body.all("a:p") {
        let properties = paragraph.find("a:pPr");
        let level = properties
            .and_then(|properties| properties.number::<usize>("lvl"))
            .unwrap_or(0)
            .min(8);
        let name = LEVELS.get(level).copied().unwrap_or_default();
        let mut sources: Vec<&Element> = properties.into_iter().collect();
        sources.extend(levels.iter().filter_map(|style| style.find(name)));
        let line = line(reader, paragraph, &sources);
        if line.is_blank() {
            continue;
        }
        let marker = if title {
            None
        } else {
            bullets.next(level, &sources)
        };
        let role = match marker {
            _ if title => Role::Heading(1),
            Some(marker) => Role::Item(marker),
            None => Role::Body,
        };
        flow.paragraph(role, alignment(&sources), line);
    }
}

fn alignment(sources: &[&Element]) -> Alignment {
    match sources.iter().find_map(|source| source.get("algn")) {
        Some("ctr") => Alignment::Centre,
        Some("r") => Alignment::End,
        Some("just" | "dist") => Alignment::Justified,
        _ => Alignment::Start,
    }
}

fn line(reader: &Reader<'_>, paragraph: &Element, sources: &[&Element]) -> Line {
    let theme = &reader.template.theme;
    let below = sources
        .iter()
        .filter_map(|source| source.find("a:defRPr"))
        .map(|properties| look(properties, theme));
    let below = below.fold(Look::default(), |over, below| over.over(&below));
    let mut line = Line::default();
    for inner in paragraph.elements() {
        let properties = inner.find("a:rPr");
        let own = properties
            .map(|properties| look(properties, theme))
            .unwrap_or_default();
        let look = own.over(&below);
        let style = look.style();
        let link = properties.and_then(|properties| linked(reader, properties));
        match inner.name() {
            "a:r" | "a:fld" => {
                let text = inner.find("a:t").map(Element::text).unwrap_or_default();
                line.push(
                    &look.shown(&text.replace('\u{b}', "\n")),
                    &style,
                    link.as_deref(),
                );
            }
            "a:br" => line.push("\n", &style, None),
            "a14:m" => math::read(inner, &style, &mut line),
            _ => {}
        }
    }
    line
}

fn linked(reader: &Reader<'_>, properties: &Element) -> Option<String> {
    let id = properties.find("a:hlinkClick")?.get("r:id")?;
    let relations: &Relations = &reader.relations;
    if let Some(url) = relations.url(id) {
        return link::allowed(url);
    }
    let page = reader.numbers.get(&relations.get(id)?.target)?;
    Some(format!("#page={page}"))
}

/// What properties of runs say.
fn look(properties: &Element, theme: &Theme) -> Look {
    let switch = |name| {
        properties
            .get(name)
            .map(|value| matches!(value, "1" | "true"))
    };
    let other_than = |name, none| properties.get(name).map(|value| value != none);
    let size = properties
        .number::<f32>("sz")
        .map(|hundredths| hundredths / 100.0);
    let font = properties
        .find("a:latin")
        .and_then(|font| font.get("typeface"));
    Look {
        font: font.map(|name| match name.starts_with('+') {
            true => theme.font(name).unwrap_or_default().to_owned(),
            false => look::family(name),
        }),
        size: size.filter(|size| (0.5..=2_000.0).contains(size)),
        bold: switch("b"),
        italic: switch("i"),
        underlined: other_than("u", "none"),
        struck: other_than("strike", "noStrike"),
        capitals: properties.get("cap").map(|value| value == "all"),
        script: properties.get("baseline").map(script),
        colour: properties
            .find("a:solidFill")
            .map(|fill| colour(fill, theme)),
        ..Look::default()
    }
}

fn script(baseline: &str) -> Script {
    match baseline.trim_end_matches('%').parse::<f32>() {
        Ok(baseline) if baseline > 0.0 => Script::Super,
        Ok(baseline) if baseline < 0.0 => Script::Sub,
        _ => Script::None,
    }
}

fn colour(fill: &Element, theme: &Theme) -> Option<[u8; 3]> {
    let colour = fill.elements().next()?;
    match colour.name() {
        "a:srgbClr" => units::colour(colour.get("val")?),
        "a:schemeClr" => theme.colour(colour.get("val")?),
        _ => None,
    }
}
