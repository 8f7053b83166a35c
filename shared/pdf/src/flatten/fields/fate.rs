//! What a field's place on a page shows, and what becomes of it.

use lopdf::Object;
use task::{Fault, Outcome};

use super::button;
use super::layout::{Field, content};
use super::list::{self, List};
use super::widget::{Widget, text};
use crate::lettering::Lettering;
use crate::objects::{is_a, member};

/// Longest text that is written, in characters.
const LONGEST: usize = 20_000;

/// Flags of annotations [ISO 32000-1, 12.5.3, table 165].
const HIDDEN: i64 = 1 << 1;
/// Flags of fields [ISO 32000-1, 12.7.4, tables 221, 228 and 230].
const MULTILINE: i64 = 1 << 12;
const PASSWORD: i64 = 1 << 13;
const COMBO: i64 = 1 << 17;

/// What becomes of a field's place on a page.
pub(super) enum Fate {
    /// It is none, or shows already what it holds.
    AsItIs,
    /// There is nothing to be seen of it.
    Gone,
    /// It stays a field: no font has its characters, or there are too many.
    Kept,
    /// It becomes a picture, drawn by these operators.
    Drawn(Field, String),
}

impl Widget<'_> {
    /// What becomes of it.
    pub(super) fn fate(&self, lettering: &mut Lettering) -> Outcome<Fate> {
        if !is_a(self.about, b"Widget") {
            return Ok(Fate::AsItIs);
        }
        let is_drawn = self.is_drawn();
        let kind = self
            .own(b"FT")
            .and_then(|kind| kind.as_name().ok())
            .unwrap_or_default();
        if is_drawn && !(self.asks_anew() && matches!(kind, b"Tx" | b"Ch")) {
            return Ok(Fate::AsItIs);
        }
        let Some(field) = self.field().filter(|_| !self.is_hidden()) else {
            return Ok(Fate::Gone);
        };
        let drawing = match kind {
            b"Tx" | b"Ch" => self.drawing(&field, kind, is_drawn, lettering),
            b"Btn" => button::content(self, &field, lettering).map(Some),
            _ => Ok(Some(field.ground.clone())),
        };
        match drawing {
            Ok(None) => Ok(Fate::AsItIs),
            Ok(Some(text)) if text.is_empty() => Ok(Fate::Gone),
            Ok(Some(text)) => Ok(Fate::Drawn(field, text)),
            Err(Fault::Document(_)) => Ok(Fate::Kept),
            Err(other) => Err(other),
        }
    }

    /// Operators that draw what was typed or chosen; none where what is drawn already is as good.
    fn drawing(
        &self,
        field: &Field,
        kind: &[u8],
        is_drawn: bool,
        lettering: &mut Lettering,
    ) -> Outcome<Option<String>> {
        if kind == b"Ch" && self.flags() & COMBO == 0 {
            let drawing = list::content(&List::of(self), field, lettering);
            return drawing.map(Some);
        }
        let text = self.text(kind)?;
        if text.trim().is_empty() {
            return Ok((!is_drawn).then(|| field.ground.clone()));
        }
        if text.chars().count() > LONGEST {
            return Err(Fault::too_large("A field holds too long a text."));
        }
        let written = field.written(&text, &mut |line| lettering.line(line))?;
        Ok(Some(content(field, &written)))
    }

    /// What was typed, as it is shown.
    fn text(&self, kind: &[u8]) -> Outcome<String> {
        let text = match self.own(b"V") {
            None | Some(Object::Name(_)) => String::new(),
            Some(Object::Array(chosen)) => chosen.first().and_then(text).unwrap_or_default(),
            Some(value) => text(value).ok_or_else(Fault::corrupt)?,
        };
        Ok(match kind {
            // As many as there are characters say nothing of them.
            b"Tx" if self.flags() & PASSWORD != 0 => "*".repeat(text.chars().count()),
            b"Ch" => list::shown(self.document, self.own(b"Opt"), text),
            _ => text,
        })
    }

    fn field(&self) -> Option<Field> {
        let either = |key: &[u8]| {
            let own = self.own(key);
            own.or_else(|| self.form.get_deref(key, self.document).ok())
        };
        Field::of(
            self.document,
            self.about,
            self.looks(),
            either(b"DA").and_then(|text| text.as_str().ok()),
            either(b"Q")
                .and_then(|side| side.as_i64().ok())
                .unwrap_or(0),
            self.flags() & MULTILINE != 0,
        )
    }

    fn is_hidden(&self) -> bool {
        let flags = self.about.get(b"F").and_then(Object::as_i64);
        flags.unwrap_or(0) & HIDDEN != 0
    }

    fn is_drawn(&self) -> bool {
        let appearance = member(self.document, self.about, b"AP");
        let normal = appearance.and_then(|all| all.get_deref(b"N", self.document).ok());
        matches!(normal, Some(Object::Stream(_) | Object::Dictionary(_)))
    }

    /// Whether the document wants its fields drawn anew.
    fn asks_anew(&self) -> bool {
        let asks = self.form.get_deref(b"NeedAppearances", self.document);
        matches!(asks, Ok(Object::Boolean(true)))
    }
}
