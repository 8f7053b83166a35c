//! Text of a shape.

use layout::{Alignment, Script};

use super::Reader;
use super::template::Key;
use crate::flow::{Flow, Role};
use crate::line::Line;
use crate::link;
use crate::math;
use crate::partial_style::{self, PartialStyle};
use crate::pptx::bullets::Bullets;
use crate::theme::Theme;
use crate::units;
use crate::warning::Loss;
use crate::xml::Element;

/// Elements with the paragraph properties of each level.
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

/// Reads a text body.
pub(super) fn text(
    reader: &mut Reader<'_>,
    body: &Element,
    key: Option<&Key>,
    title: bool,
    flow: &mut Flow,
) {
    let mut levels: Vec<&Element> = body.find("a:lstStyle").into_iter().collect();
    let template = reader.template;
    levels.extend(template.levels(key));
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
        Some("ctr") => Alignment::Center,
        Some("r") => Alignment::End,
        Some("just" | "dist") => Alignment::Justified,
        _ => Alignment::Start,
    }
}

fn line(reader: &mut Reader<'_>, paragraph: &Element, sources: &[&Element]) -> Line {
    let template = reader.template;
    let theme = &template.theme;
    let below = sources
        .iter()
        .filter_map(|source| source.find("a:defRPr"))
        .map(|properties| run_style(properties, theme));
    let below = below.fold(PartialStyle::default(), |over, below| over.over(&below));
    let mut line = Line::default();
    let mut dropped = None;
    for inner in paragraph.elements() {
        let properties = inner.find("a:rPr");
        let own = properties
            .map(|properties| run_style(properties, theme))
            .unwrap_or_default();
        let text_style = own.over(&below);
        let style = text_style.style();
        match inner.name() {
            "a:r" | "a:fld" => {
                let text = inner.find("a:t").map(Element::text).unwrap_or_default();
                if text.is_empty() {
                    continue;
                }
                let linked = properties.and_then(|properties| linked(reader, properties));
                let (target, link) = linked.unzip();
                let link = link.flatten();
                // PowerPoint splits one link into runs.
                let target = target.filter(|_| link.is_none());
                if target.is_some() && target != dropped {
                    reader.package.losses.add(Loss::Link);
                }
                dropped = target;
                line.push(
                    &text_style.shown(&text.replace('\u{b}', "\n")),
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

/// Returns the target of a link, and the link if it is kept.
fn linked(reader: &Reader<'_>, properties: &Element) -> Option<(String, Option<String>)> {
    let id = properties.find("a:hlinkClick")?.get("r:id")?;
    let relation = reader.relations.get(id)?;
    let target = relation.target.clone();
    let page = reader.numbers.get(&target);
    let link = match relation.external {
        // A slide has no places.
        true => link::allowed(&target).filter(|link| !link.starts_with('#')),
        false => page.map(|page| format!("#page={page}")),
    };
    Some((target, link))
}

/// Reads run properties.
fn run_style(properties: &Element, theme: &Theme) -> PartialStyle {
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
    PartialStyle {
        font: font.map(|name| match name.starts_with('+') {
            true => theme.font(name).unwrap_or_default().to_owned(),
            false => partial_style::family(name),
        }),
        size: size.filter(|size| (0.5..=2_000.0).contains(size)),
        bold: switch("b"),
        italic: switch("i"),
        underlined: other_than("u", "none"),
        strikethrough: other_than("strike", "noStrike"),
        capitals: properties.get("cap").map(|value| value == "all"),
        script: properties.get("baseline").map(script),
        color: properties
            .find("a:solidFill")
            .map(|fill| color(fill, theme)),
        ..PartialStyle::default()
    }
}

fn script(baseline: &str) -> Script {
    match baseline.trim_end_matches('%').parse::<f32>() {
        Ok(baseline) if baseline > 0.0 => Script::Super,
        Ok(baseline) if baseline < 0.0 => Script::Sub,
        _ => Script::None,
    }
}

fn color(fill: &Element, theme: &Theme) -> Option<[u8; 3]> {
    let color = fill.elements().next()?;
    match color.name() {
        "a:srgbClr" => units::color(color.get("val")?),
        "a:schemeClr" => theme.color(color.get("val")?),
        _ => None,
    }
}
