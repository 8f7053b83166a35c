//! The state of a group: its destination and the properties of its characters.

use super::destination::Destination;

/// The state of a group, which groups in it inherit.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) destination: Destination,
    /// Not inherited.
    pub(super) is: GroupKind,
    pub(super) is_hidden: bool,
    pub(super) is_deleted: bool,
    pub(super) is_in_table: bool,
    pub(super) font: Option<i32>,
    /// Number of characters that replace a Unicode character in old readers.
    pub(super) replacements: usize,
}

/// What begins and ends with a group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupKind {
    Field,
    /// A note or a text box.
    Story,
    /// A header or footer.
    RunningText,
    Other,
}

impl Default for Group {
    fn default() -> Self {
        Self {
            destination: Destination::Text,
            is: GroupKind::Other,
            is_hidden: false,
            is_deleted: false,
            is_in_table: false,
            font: None,
            replacements: 1,
        }
    }
}

impl Group {
    /// Applies a control word that changes properties.
    pub(super) fn control(&mut self, word: &str, value: Option<i32>) {
        let is_on = value != Some(0);
        match word {
            "plain" => {
                (self.is_hidden, self.is_deleted, self.font) = (false, false, None);
            }
            "v" => self.is_hidden = is_on,
            "deleted" => self.is_deleted = is_on,
            "intbl" => self.is_in_table = true,
            "pard" => self.is_in_table = false,
            "f" => self.font = value,
            "uc" => self.replacements = value.and_then(|count| count.try_into().ok()).unwrap_or(1),
            _ => {}
        }
    }
}
