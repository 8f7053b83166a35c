//! Runs and footnote references.

use std::fmt::Write as _;

use super::font_name::font_name;
use super::header_footer::{PAGE_FIELD, PAGES_FIELD};
use super::paragraph::Properties;
use super::story::Story;
use super::styles::half_points;
use crate::writers::direction::{are_rtl, direction_runs};
use crate::writers::font::base_size;
use crate::writers::link::{Target, target};
use crate::writers::notes::Note;
use crate::writers::xml::Escaped;
use crate::{Item, Run, Script, Style};

impl Story<'_> {
    /// Writes runs of the open paragraph.
    pub(super) fn runs(&mut self, runs: &[Run]) {
        let base = base_size(runs);
        for run in runs.iter().filter(|run| !run.text.is_empty()) {
            self.fonts.record(run);
            match self.note_at(run) {
                Some(note) => self.reference(&note, run),
                None => self.linked(run, base),
            }
        }
    }

    /// Writes a marker as text, with a space or tab behind it.
    pub(super) fn marker(&mut self, item: &Item, space: &str) {
        let style = item
            .runs
            .first()
            .map(|run| run.style.clone())
            .unwrap_or_default();
        let text = format!("{}{space}", item.marker);
        self.run(&text, &style, style.size, false);
    }

    /// Writes superscript text.
    pub(super) fn raised(&mut self, text: &str) {
        let style = Style {
            script: Script::Super,
            ..Style::default()
        };
        self.run(text, &style, 0.0, false);
    }

    pub(super) fn space(&mut self) {
        self.xml
            .push_str("<w:r><w:t xml:space=\"preserve\"> </w:t></w:r>");
    }

    fn note_at(&self, run: &Run) -> Option<Note> {
        let note = self.page_notes.at(run)?;
        // The footnote is written at its first reference.
        (!self.written_notes.contains(&note.number)).then(|| note.clone())
    }

    fn linked(&mut self, run: &Run, base: f32) {
        let is_small = run.style.script != Script::None && base > 0.0;
        let size = if is_small { base } else { run.style.size };
        let link_target = match run.link.as_deref() {
            Some(PAGE_FIELD) => return self.field("PAGE", run, size),
            Some(PAGES_FIELD) => return self.field("NUMPAGES", run, size),
            Some(link) => target(link),
            None => None,
        };
        match &link_target {
            Some(Target::Page(page)) => {
                write!(self.xml, "<w:hyperlink w:anchor=\"page_{page}\">").ok()
            }
            Some(Target::External(url)) => {
                let relation = self.relations.hyperlink(url);
                write!(self.xml, "<w:hyperlink r:id=\"{relation}\">").ok()
            }
            None => None,
        };
        for (is_rtl, piece) in direction_runs(&run.text) {
            self.run(&piece, &run.style, size, is_rtl);
        }
        if link_target.is_some() {
            self.xml.push_str("</w:hyperlink>");
        }
    }

    fn field(&mut self, name: &str, run: &Run, size: f32) {
        write!(self.xml, "<w:fldSimple w:instr=\" {name} \">").ok();
        self.run(&run.text, &run.style, size, false);
        self.xml.push_str("</w:fldSimple>");
    }

    fn run(&mut self, text: &str, style: &Style, size: f32, is_rtl: bool) {
        let font = font_name(style, text);
        if let Some(font) = font {
            self.font_table.add(font, style.monospaced);
        }
        // Programs display text of automatic color in white on a dark fill.
        let color = style.color.or(self.has_fill.then_some([0; 3]));
        let properties = run_properties(style, font, color, size, is_rtl);
        write!(self.xml, "<w:r>{properties}").ok();
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find(['\n', '\t']).unwrap_or(rest.len());
            let (plain, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            if !plain.is_empty() {
                write!(
                    self.xml,
                    "<w:t xml:space=\"preserve\">{}</w:t>",
                    Escaped(plain)
                )
                .ok();
            }
            self.xml.push_str(match behind.chars().next() {
                Some('\n') => "<w:br/>",
                Some(_) => "<w:tab/>",
                None => "",
            });
            rest = behind.get(1..).unwrap_or_default();
        }
        self.xml.push_str("</w:r>");
    }

    /// Writes a footnote reference.
    fn reference(&mut self, note: &Note, run: &Run) {
        self.written_notes.insert(note.number);
        let (id, counted) = (self.last_note.0 + 1, self.last_note.1 + 1);
        let counts = run.text.trim() == counted.to_string();
        self.last_note = (id, if counts { counted } else { self.last_note.1 });
        let own = if counts {
            ""
        } else {
            " w:customMarkFollows=\"1\""
        };
        let text = match counts {
            true => String::new(),
            false => own_mark(run.text.trim()),
        };
        write!(
            self.xml,
            "<w:r>{REFERENCE}<w:footnoteReference{own} w:id=\"{id}\"/>{text}</w:r>"
        )
        .ok();
        let body = self.note_body(note, counts);
        write!(self.notes, "<w:footnote w:id=\"{id}\">{body}</w:footnote>").ok();
    }

    fn note_body(&mut self, note: &Note, counts: bool) -> String {
        let outer = std::mem::take(&mut self.xml);
        std::mem::swap(&mut self.relations, &mut self.note_relations);
        let notes = std::mem::take(&mut self.page_notes);
        let has_fill = std::mem::take(&mut self.has_fill);
        let mark = match counts {
            true => "<w:footnoteRef/>".to_owned(),
            false => format!("{ONLY_WORD}<w:t>{}</w:t>{OTHERS}", Escaped(&note.label)),
        };
        self.begin(&Properties {
            style: Some("FootnoteText".to_owned()),
            is_rtl: are_rtl(&note.runs),
            ..Properties::default()
        });
        write!(self.xml, "<w:r>{REFERENCE}{mark}</w:r>").ok();
        self.space();
        self.runs(&note.runs);
        self.end();
        (self.page_notes, self.has_fill) = (notes, has_fill);
        std::mem::swap(&mut self.relations, &mut self.note_relations);
        std::mem::replace(&mut self.xml, outer)
    }
}

/// Returns the mark that follows a reference. LibreOffice repeats it unless each character is a text of its own.
fn own_mark(mark: &str) -> String {
    let mut texts = String::new();
    for character in mark.chars() {
        let character = character.to_string();
        let space = if character == " " {
            " xml:space=\"preserve\""
        } else {
            ""
        };
        write!(texts, "<w:t{space}>{}</w:t>", Escaped(&character)).ok();
    }
    texts
}

/// Encloses the mark at the beginning of a note for Word, which shows no mark of its own there. LibreOffice does.
const ONLY_WORD: &str = "<mc:AlternateContent xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
xmlns:w15=\"http://schemas.microsoft.com/office/word/2012/wordml\"><mc:Choice Requires=\"w15\">";
const OTHERS: &str = "</mc:Choice><mc:Fallback/></mc:AlternateContent>";

const REFERENCE: &str = "<w:rPr><w:rStyle w:val=\"FootnoteReference\"/></w:rPr>";

/// Returns the shading of a run or cell.
pub(super) fn shading(color: Option<[u8; 3]>) -> String {
    color.map_or_else(String::new, |[red, green, blue]| {
        format!(
            "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"{red:02X}{green:02X}{blue:02X}\"/>"
        )
    })
}

/// Returns run properties, in schema order.
fn run_properties(
    style: &Style,
    font: Option<&str>,
    color: Option<[u8; 3]>,
    size: f32,
    is_rtl: bool,
) -> String {
    let mut xml = String::new();
    if let Some(font) = font.map(Escaped) {
        write!(xml, "<w:rFonts w:ascii=\"{font}\" w:hAnsi=\"{font}\" w:eastAsia=\"{font}\" w:cs=\"{font}\"/>").ok();
    }
    for (is_set, tags) in [
        (style.bold, "<w:b/><w:bCs/>"),
        (style.italic, "<w:i/><w:iCs/>"),
        (style.strikethrough, "<w:strike/>"),
    ] {
        xml.push_str(if is_set { tags } else { "" });
    }
    // Programs without support for transparent text display white.
    let color = if style.invisible {
        Some([u8::MAX; 3])
    } else {
        color
    };
    if let Some([red, green, blue]) = color {
        write!(xml, "<w:color w:val=\"{red:02X}{green:02X}{blue:02X}\"/>").ok();
    }
    if let Some(halves) = half_points(size) {
        write!(
            xml,
            "<w:sz w:val=\"{halves}\"/><w:szCs w:val=\"{halves}\"/>"
        )
        .ok();
    }
    xml.push_str(if style.underlined {
        "<w:u w:val=\"single\"/>"
    } else {
        ""
    });
    xml.push_str(&shading(style.highlight));
    xml.push_str(match style.script {
        Script::None => "",
        Script::Super => "<w:vertAlign w:val=\"superscript\"/>",
        Script::Sub => "<w:vertAlign w:val=\"subscript\"/>",
    });
    xml.push_str(if is_rtl { "<w:rtl/>" } else { "" });
    xml.push_str(if style.invisible {
        TRANSPARENT_FILL
    } else {
        ""
    });
    if xml.is_empty() {
        xml
    } else {
        format!("<w:rPr>{xml}</w:rPr>")
    }
}

/// Text fill that is practically transparent: invisible, but searchable and copyable. LibreOffice ignores full transparency and
/// writes black.
const TRANSPARENT_FILL: &str = "<w14:textFill xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\"><w14:solidFill>\
<w14:srgbClr w14:val=\"FFFFFF\"><w14:alpha w14:val=\"99000\"/></w14:srgbClr></w14:solidFill></w14:textFill>";
