//! The parts of the graphics state that decide about fonts and initial colors.

use serde_json::Value;

/// Maximum depth of saved graphics states.
const MAX_SAVED: usize = 28;
/// Maximum depth that is followed beyond that.
const MAX_FOLLOWED: usize = 1000;

/// A graphics state and those that were saved.
pub(super) struct State<'a> {
    pub(super) font: Option<&'a Value>,
    /// Whether text is shown in a rendering mode other than 3.
    pub(super) is_visible: bool,
    /// Whether the colors for filling and stroking were set.
    has_color: [bool; 2],
    saved: Vec<(Option<&'a Value>, bool, [bool; 2])>,
}

impl State<'_> {
    /// The state at the beginning of a page, or of other content that starts with the colors of its user.
    pub(super) fn new(is_page: bool) -> Self {
        Self {
            font: None,
            is_visible: true,
            has_color: [!is_page; 2],
            saved: Vec::new(),
        }
    }

    /// Saves the state. Returns whether the depth is allowed.
    pub(super) fn save(&mut self) -> bool {
        if self.saved.len() < MAX_FOLLOWED {
            let current = (self.font, self.is_visible, self.has_color);
            self.saved.push(current);
        }
        self.saved.len() <= MAX_SAVED
    }

    /// Restores the state that was saved last.
    pub(super) fn restore(&mut self) {
        if let Some(saved) = self.saved.pop() {
            (self.font, self.is_visible, self.has_color) = saved;
        }
    }

    /// Whether an operator paints in a color that was never set.
    pub(super) fn paints_in_initial_color(&self, operator: &str) -> bool {
        let [has_fill, has_stroke] = self.has_color;
        match operator {
            "f" | "F" | "f*" => !has_fill,
            "s" | "S" => !has_stroke,
            "b" | "b*" | "B" | "B*" => !has_fill || !has_stroke,
            "Tj" | "TJ" | "'" | "\"" => !has_fill && self.is_visible,
            _ => false,
        }
    }

    /// Notes that an operator has set a color.
    pub(super) fn set_color(&mut self, operator: &str) {
        let [has_fill, has_stroke] = &mut self.has_color;
        match operator {
            "g" | "rg" | "k" | "cs" => *has_fill = true,
            "G" | "RG" | "K" | "CS" => *has_stroke = true,
            _ => {}
        }
    }
}
