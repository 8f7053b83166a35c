//! Content of a paragraph: runs, hyperlinks, fields and anchored objects.

use layout::Style;

use super::Open;
use super::drawing;
use crate::docx::body::Body;
use crate::docx::properties::{self, value};
use crate::error::Result;
use crate::flow::Flow;
use crate::partial_style::PartialStyle;
use crate::symbols;
use crate::warning::Loss;
use crate::xml::{Element, Node};
use crate::{instruction, link, math};

/// Reads the children of an element.
pub(super) fn read(
    body: &mut Body<'_>,
    element: &Element,
    open: &mut Open,
    flow: &mut Flow,
) -> Result {
    for inner in element.elements() {
        match inner.name() {
            "w:r" => run(body, inner, open, flow)?,
            "w:hyperlink" => hyperlink(body, inner, open, flow)?,
            "w:fldSimple" => simple_field(body, inner, open, flow)?,
            "w:bookmarkStart" => body.mark(inner),
            "w:ins" | "w:moveTo" | "w:smartTag" | "w:sdt" | "w:sdtContent" | "w:customXml"
            | "w:dir" | "w:bdo" | "w:subDoc" | "w:rubyBase" => read(body, inner, open, flow)?,
            "m:oMath" | "m:oMathPara" if body.fields.shows() => {
                math::read(inner, &open.text_style.style(), &mut open.line);
            }
            _ => {}
        }
    }
    Ok(())
}

fn hyperlink(body: &mut Body<'_>, element: &Element, open: &mut Open, flow: &mut Flow) -> Result {
    let url = element.get("r:id").and_then(|id| body.relations.url(id));
    let link = match (url, element.get("w:anchor")) {
        (Some(url), Some(anchor)) => Some(format!("{url}#{anchor}")),
        (Some(url), None) => Some(url.to_owned()),
        (None, anchor) => anchor.map(|anchor| format!("#{anchor}")),
    };
    let link = link.and_then(|link| link::kept(&link, &mut body.package.losses));
    linked(body, element, link, open, flow)
}

/// Reads the content of a link.
fn linked(
    body: &mut Body<'_>,
    element: &Element,
    link: Option<String>,
    open: &mut Open,
    flow: &mut Flow,
) -> Result {
    let is_kept = link.is_some();
    let before = std::mem::replace(&mut open.link, link);
    let around = std::mem::take(&mut open.linked);
    let read = read(body, element, open, flow);
    open.link = before;
    let linked = std::mem::replace(&mut open.linked, around);
    if is_kept {
        linked.end(&mut body.package.losses);
    }
    read
}

fn simple_field(
    body: &mut Body<'_>,
    element: &Element,
    open: &mut Open,
    flow: &mut Flow,
) -> Result {
    let field_instruction = element.get("w:instr").unwrap_or_default();
    if instruction::fetches(field_instruction) {
        body.package.losses.add(Loss::ExternalLinkBlocked);
    }
    if instruction::numbers_page(field_instruction) {
        return Ok(());
    }
    match instruction::link(field_instruction, &mut body.package.losses) {
        Some(link) => linked(body, element, Some(link), open, flow),
        None => read(body, element, open, flow),
    }
}

fn run(body: &mut Body<'_>, element: &Element, open: &mut Open, flow: &mut Flow) -> Result {
    let text_style = text_style(body, element, open);
    if text_style.hidden == Some(true) {
        return hidden(body, element);
    }
    let style = text_style.style();
    let follows_own_mark = has_own_mark(element);
    for inner in element.elements() {
        match inner.name() {
            "w:fldChar" => field_mark(body, inner, &style, open),
            "w:instrText" => body.fields.instruct(&inner.text()),
            _ if !body.fields.shows() => {}
            "w:br" if inner.get("w:type") == Some("page") => open.break_page(body, flow),
            "w:footnoteReference" | "w:endnoteReference" => {
                note(body, inner, element, &style, open)?
            }
            "w:drawing" | "w:pict" | "w:object" => drawing::read(body, inner, open)?,
            "w:ruby" => ruby(body, inner, open, flow)?,
            // The custom mark of the note that this run references.
            "w:t" if follows_own_mark => {}
            _ => text(body, inner, &text_style, &style, open),
        }
    }
    Ok(())
}

/// Tracks fields through hidden text, and counts it as dropped content.
fn hidden(body: &mut Body<'_>, element: &Element) -> Result {
    for inner in element.elements() {
        match inner.name() {
            "w:fldChar" => body.fields.mark(inner, &mut body.package.losses),
            "w:instrText" => body.fields.instruct(&inner.text()),
            "w:t" => body.package.losses.add(Loss::Hidden),
            _ => {}
        }
    }
    Ok(())
}

fn text_style(body: &Body<'_>, run: &Element, open: &Open) -> PartialStyle {
    let Some(properties) = run.find("w:rPr") else {
        return open.text_style.clone();
    };
    let own = properties::run_style(properties, &body.theme);
    let named = value(properties, "w:rStyle").and_then(|id| body.styles.get(id));
    match named {
        Some(named) => own.over(&named.text_style.over(&open.text_style)),
        None => own.over(&open.text_style),
    }
}

fn text(
    body: &mut Body<'_>,
    element: &Element,
    text_style: &PartialStyle,
    style: &Style,
    open: &mut Open,
) {
    let text = match element.name() {
        "w:t" => text_style.shown(&words(element, &text_style.font)),
        "w:tab" | "w:ptab" => "\t".to_owned(),
        "w:br" | "w:cr" => "\n".to_owned(),
        "w:noBreakHyphen" => "\u{2011}".to_owned(),
        "w:sym" => symbol(element),
        _ => return,
    };
    let linked = body.fields.linked().unwrap_or(&mut open.linked);
    linked.text(&text);
    let link = body
        .fields
        .link()
        .or(open.link.as_deref())
        .map(str::to_owned);
    open.line.push(&text, style, link.as_deref());
}

fn words(element: &Element, font: &Option<String>) -> String {
    let text = element.children().iter().filter_map(|node| match node {
        Node::Text(text) => Some(text.as_str()),
        Node::Element(_) => None,
    });
    let font = font.as_deref().unwrap_or_default();
    let private = |c: char| ('\u{f020}'..='\u{f0ff}').contains(&c);
    let shown = |c: char| {
        if private(c) {
            symbols::shown(c, font)
        } else {
            c
        }
    };
    // Line breaks in XML text are white space; only `w:br` breaks a line.
    let spaced = |c| if matches!(c, '\n' | '\r') { ' ' } else { c };
    let text: String = text.flat_map(str::chars).map(spaced).collect();
    // White space at the ends counts only with `xml:space="preserve"`.
    let trimmed = match element.get("xml:space") {
        Some("preserve") => text.as_str(),
        _ => text.trim_matches([' ', '\t']),
    };
    trimmed.chars().map(shown).collect()
}

fn symbol(element: &Element) -> String {
    let code = element
        .get("w:char")
        .and_then(|code| u32::from_str_radix(code, 16).ok());
    let character = code.and_then(char::from_u32);
    let shown = character
        .map(|character| symbols::shown(character, element.get("w:font").unwrap_or_default()));
    shown.map(String::from).unwrap_or_default()
}

fn field_mark(body: &mut Body<'_>, mark: &Element, style: &Style, open: &mut Open) {
    if body.fields.fetches() && mark.get("w:fldCharType") == Some("separate") {
        body.package.losses.add(Loss::ExternalLinkBlocked);
    }
    let check = mark.at(&["w:ffData", "w:checkBox"]);
    if let Some(check) = check.filter(|_| body.fields.shows()) {
        let checked = properties::switch(check, "w:checked")
            .or_else(|| properties::switch(check, "w:default"));
        open.line
            .push(if checked == Some(true) { "☒" } else { "☐" }, style, None);
    }
    let list = mark.at(&["w:ffData", "w:ddList"]);
    if let Some(list) = list.filter(|_| body.fields.shows()) {
        open.line.push(selected(list), style, None);
    }
    body.fields.mark(mark, &mut body.package.losses);
}

/// The selected entry of a drop-down form field [ECMA-376 part 1, 17.16.28]; its field has no result.
fn selected(list: &Element) -> &str {
    let chosen = ["w:result", "w:default"];
    let mut chosen = chosen
        .iter()
        .filter_map(|name| list.find(name)?.number("w:val"));
    let entry = list.all("w:listEntry").nth(chosen.next().unwrap_or(0));
    entry
        .and_then(|entry| entry.get("w:val"))
        .unwrap_or_default()
}

fn note(
    body: &mut Body<'_>,
    reference: &Element,
    run: &Element,
    style: &Style,
    open: &mut Open,
) -> Result {
    let own = has_own_mark(run).then(|| run.all("w:t").map(Element::text).collect::<String>());
    if let Some(label) =
        body.reference_note(reference, own.filter(|mark| !mark.trim().is_empty()))?
    {
        open.line.push_reference(&label, style);
    }
    Ok(())
}

fn has_own_mark(run: &Element) -> bool {
    let mut references = run
        .elements()
        .filter(|inner| inner.name().ends_with("noteReference"));
    references.any(|one| matches!(one.get("w:customMarkFollows"), Some("1" | "true" | "on")))
}

/// Appends the base text, and its ruby text in parentheses.
fn ruby(body: &mut Body<'_>, element: &Element, open: &mut Open, flow: &mut Flow) -> Result {
    for (part, marks) in [("w:rubyBase", ("", "")), ("w:rt", ("（", "）"))] {
        if let Some(part) = element.find(part) {
            let style = open.text_style.style();
            open.line.push(marks.0, &style, None);
            read(body, part, open, flow)?;
            open.line.push(marks.1, &style, None);
        }
    }
    Ok(())
}
