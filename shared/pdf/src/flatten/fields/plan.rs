//! Decides how a widget is flattened.

use lopdf::Object;
use task::{TaskError, TaskResult};

use super::layout::{Field, content};
use super::list::{self, List};
use super::widget::{Widget, text};
use super::{button, comb};
use crate::objects::{is_a, member};
use crate::text_drawing::FontSet;

/// Maximum length of a field's text, in characters.
const MAX_CHARACTERS: usize = 20_000;

/// Annotation flags [ISO 32000-1, 12.5.3, table 165].
const HIDDEN: i64 = 1 << 1;
/// Field flags [ISO 32000-1, 12.7.4, tables 221, 228 and 230].
const MULTILINE: i64 = 1 << 12;
const PASSWORD: i64 = 1 << 13;
const COMBO: i64 = 1 << 17;
const COMB: i64 = 1 << 24;

/// How a widget is flattened.
pub(super) enum WidgetPlan {
    /// It is not a field, or its appearance is current.
    Unchanged,
    /// It is invisible.
    Remove,
    /// It stays a field: no font has its characters, or the text is too long.
    Keep,
    /// It gets an appearance with these operators.
    Draw(Field, String),
}

impl Widget<'_> {
    /// Decides how the widget is flattened.
    pub(super) fn plan(&self, fonts: &mut FontSet) -> TaskResult<WidgetPlan> {
        if !is_a(self.dict, b"Widget") {
            return Ok(WidgetPlan::Unchanged);
        }
        let is_drawn = self.is_drawn();
        let kind = self
            .own(b"FT")
            .and_then(|kind| kind.as_name().ok())
            .unwrap_or_default();
        if is_drawn && !(self.needs_appearances() && matches!(kind, b"Tx" | b"Ch")) {
            return Ok(WidgetPlan::Unchanged);
        }
        let Some(field) = self.field().filter(|_| !self.is_hidden()) else {
            return Ok(WidgetPlan::Remove);
        };
        let drawing = match kind {
            b"Tx" | b"Ch" => self.drawing(&field, kind, is_drawn, fonts),
            b"Btn" => button::content(self, &field, fonts).map(Some),
            _ => Ok(Some(field.background.clone())),
        };
        match drawing {
            Ok(None) => Ok(WidgetPlan::Unchanged),
            Ok(Some(text)) if text.is_empty() => Ok(WidgetPlan::Remove),
            Ok(Some(text)) => Ok(WidgetPlan::Draw(field, text)),
            Err(TaskError::Document(_)) => Ok(WidgetPlan::Keep),
            Err(other) => Err(other),
        }
    }

    /// Returns the operators that draw the value, regardless of an existing appearance; `None` if the widget has no area.
    pub(super) fn redrawn(&self, fonts: &mut FontSet) -> TaskResult<Option<(Field, String)>> {
        let Some(field) = self.field() else {
            return Ok(None);
        };
        let kind = self.own(b"FT").and_then(|kind| kind.as_name().ok());
        let content = match kind {
            Some(kind @ (b"Tx" | b"Ch")) => self.drawing(&field, kind, false, fonts)?,
            _ => Some(button::content(self, &field, fonts)?),
        };
        Ok(Some((field, content.unwrap_or_default())))
    }

    /// Returns the operators that draw the value; `None` if the existing appearance is good enough.
    fn drawing(
        &self,
        field: &Field,
        kind: &[u8],
        is_drawn: bool,
        fonts: &mut FontSet,
    ) -> TaskResult<Option<String>> {
        if kind == b"Ch" && self.flags() & COMBO == 0 {
            let drawing = list::content(&List::of(self), field, fonts);
            return drawing.map(Some);
        }
        let text = self.text(kind)?;
        if text.trim().is_empty() {
            return Ok((!is_drawn).then(|| field.background.clone()));
        }
        if text.chars().count() > MAX_CHARACTERS {
            return Err(TaskError::too_large(
                "The text of a form field is too long.",
            ));
        }
        if kind == b"Tx"
            && let Some(cells) = self.cells()
        {
            return comb::content(field, &text, cells, fonts).map(Some);
        }
        let written = field.fit(&text, &mut |line| fonts.line(line))?;
        Ok(Some(content(field, &written)))
    }

    /// Returns the number of cells of a comb field, which shows each character in a cell of its own.
    fn cells(&self) -> Option<u16> {
        let flags = self.flags();
        let is_comb = flags & COMB != 0 && flags & (MULTILINE | PASSWORD) == 0;
        let cells = self.own(b"MaxLen").filter(|_| is_comb)?.as_i64().ok()?;
        u16::try_from(cells).ok().filter(|cells| *cells > 0)
    }

    /// Returns the display text of the value.
    fn text(&self, kind: &[u8]) -> TaskResult<String> {
        let text = match self.own(b"V") {
            None | Some(Object::Name(_)) => String::new(),
            Some(Object::Array(chosen)) => chosen.first().and_then(text).unwrap_or_default(),
            Some(value) => text(value).ok_or_else(TaskError::input_corrupt)?,
        };
        Ok(match kind {
            // A password field shows as many asterisks as it has characters.
            b"Tx" if self.flags() & PASSWORD != 0 => "*".repeat(text.chars().count()),
            b"Ch" => list::display_text(self.document, self.own(b"Opt"), text),
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
            self.dict,
            self.characteristics(),
            either(b"DA").and_then(|text| text.as_str().ok()),
            either(b"Q")
                .and_then(|side| side.as_i64().ok())
                .unwrap_or(0),
            self.flags() & MULTILINE != 0,
        )
    }

    fn is_hidden(&self) -> bool {
        let flags = self.dict.get(b"F").and_then(Object::as_i64);
        flags.unwrap_or(0) & HIDDEN != 0
    }

    fn is_drawn(&self) -> bool {
        let appearance = member(self.document, self.dict, b"AP");
        let normal = appearance.and_then(|all| all.get_deref(b"N", self.document).ok());
        matches!(normal, Some(Object::Stream(_) | Object::Dictionary(_)))
    }

    /// Whether the document requests new appearances (`NeedAppearances`).
    fn needs_appearances(&self) -> bool {
        let asks = self.form.get_deref(b"NeedAppearances", self.document);
        matches!(asks, Ok(Object::Boolean(true)))
    }
}
