//! What stands within a paragraph: runs, links, fields and what is anchored to them.

use layout::Style;

use super::Open;
use super::drawing;
use crate::docx::body::Body;
use crate::docx::properties::{self, value};
use crate::error::Outcome;
use crate::flow::Flow;
use crate::look::Look;
use crate::symbols;
use crate::warning::Loss;
use crate::xml::{Element, Node};
use crate::{instruction, link, math};

/// Reads what an element holds.
pub(super) fn read(
    body: &mut Body<'_>,
    element: &Element,
    open: &mut Open,
    flow: &mut Flow,
) -> Outcome {
    for inner in element.elements() {
        match inner.name() {
            "w:r" => run(body, inner, open, flow)?,
            "w:hyperlink" => hyperlink(body, inner, open, flow)?,
            "w:fldSimple" => simple_field(body, inner, open, flow)?,
            "w:bookmarkStart" => body.mark(inner),
            "w:ins" | "w:moveTo" | "w:smartTag" | "w:sdt" | "w:sdtContent" | "w:customXml"
            | "w:dir" | "w:bdo" | "w:subDoc" | "w:rubyBase" => read(body, inner, open, flow)?,
            "m:oMath" | "m:oMathPara" if body.fields.shows() => {
                math::read(inner, &open.look.style(), &mut open.line);
            }
            _ => {}
        }
    }
    Ok(())
}

fn hyperlink(body: &mut Body<'_>, element: &Element, open: &mut Open, flow: &mut Flow) -> Outcome {
    let url = element.get("r:id").and_then(|id| body.relations.url(id));
    let link = match (url, element.get("w:anchor")) {
        (Some(url), Some(anchor)) => Some(format!("{url}#{anchor}")),
        (Some(url), None) => Some(url.to_owned()),
        (None, anchor) => anchor.map(|anchor| format!("#{anchor}")),
    };
    let link = link.as_deref().and_then(link::allowed);
    let before = std::mem::replace(&mut open.link, link);
    let read = read(body, element, open, flow);
    open.link = before;
    read
}

fn simple_field(
    body: &mut Body<'_>,
    element: &Element,
    open: &mut Open,
    flow: &mut Flow,
) -> Outcome {
    let said = element.get("w:instr").unwrap_or_default();
    if instruction::fetches(said) {
        body.package.losses.add(Loss::ExternalLinkBlocked);
    }
    if instruction::numbers_page(said) {
        return Ok(());
    }
    let link = instruction::link(said).or_else(|| open.link.clone());
    let before = std::mem::replace(&mut open.link, link);
    let read = read(body, element, open, flow);
    open.link = before;
    read
}

fn run(body: &mut Body<'_>, element: &Element, open: &mut Open, flow: &mut Flow) -> Outcome {
    let look = look(body, element, open);
    if look.hidden == Some(true) {
        return hidden(body, element);
    }
    let style = look.style();
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
            // The own mark of the note that this run follows.
            "w:t" if follows_own_mark => {}
            _ => text(body, inner, &look, &style, open),
        }
    }
    Ok(())
}

/// Fields go on through hidden text, which is told once a run.
fn hidden(body: &mut Body<'_>, element: &Element) -> Outcome {
    for inner in element.elements() {
        match inner.name() {
            "w:fldChar" => body.fields.mark(inner),
            "w:instrText" => body.fields.instruct(&inner.text()),
            "w:t" => body.package.losses.add(Loss::Hidden),
            _ => {}
        }
    }
    Ok(())
}

fn look(body: &Body<'_>, run: &Element, open: &Open) -> Look {
    let Some(properties) = run.find("w:rPr") else {
        return open.look.clone();
    };
    let own = properties::look(properties, &body.theme);
    let named = value(properties, "w:rStyle").and_then(|id| body.styles.get(id));
    match named {
        Some(named) => own.over(&named.look.over(&open.look)),
        None => own.over(&open.look),
    }
}

fn text(body: &Body<'_>, element: &Element, look: &Look, style: &Style, open: &mut Open) {
    let text = match element.name() {
        "w:t" => look.shown(&words(element, &look.font)),
        "w:tab" | "w:ptab" => "\t".to_owned(),
        "w:br" | "w:cr" => "\n".to_owned(),
        "w:noBreakHyphen" => "\u{2011}".to_owned(),
        "w:sym" => symbol(element),
        _ => return,
    };
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
    // Lines of a part end where its writer liked; only elements end those of the text.
    let spaced = |c| if matches!(c, '\n' | '\r') { ' ' } else { c };
    let text: String = text.flat_map(str::chars).map(spaced).collect();
    // Spaces at its ends count where that is said.
    let said = match element.get("xml:space") {
        Some("preserve") => text.as_str(),
        _ => text.trim_matches([' ', '\t']),
    };
    said.chars().map(shown).collect()
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
        let said = properties::switch(check, "w:checked")
            .or_else(|| properties::switch(check, "w:default"));
        open.line
            .push(if said == Some(true) { "☒" } else { "☐" }, style, None);
    }
    body.fields.mark(mark);
}

fn note(
    body: &mut Body<'_>,
    reference: &Element,
    run: &Element,
    style: &Style,
    open: &mut Open,
) -> Outcome {
    let own = has_own_mark(run).then(|| run.all("w:t").map(Element::text).collect::<String>());
    if let Some(label) =
        body.refer_to_note(reference, own.filter(|mark| !mark.trim().is_empty()))?
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

/// What is written, and how it is read in brackets behind it.
fn ruby(body: &mut Body<'_>, element: &Element, open: &mut Open, flow: &mut Flow) -> Outcome {
    for (part, marks) in [("w:rubyBase", ("", "")), ("w:rt", ("（", "）"))] {
        if let Some(part) = element.find(part) {
            let style = open.look.style();
            open.line.push(marks.0, &style, None);
            read(body, part, open, flow)?;
            open.line.push(marks.1, &style, None);
        }
    }
    Ok(())
}
