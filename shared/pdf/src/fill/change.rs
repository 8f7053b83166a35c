//! The change of a field and its widgets.

use lopdf::{Object, ObjectId};

/// The change of a field.
pub(super) struct FieldChange {
    pub(super) field: ObjectId,
    /// Members to set, or to remove.
    pub(super) members: Vec<(&'static str, Option<Object>)>,
    pub(super) widgets: Vec<WidgetChange>,
}

/// The change of a widget of the field.
pub(super) struct WidgetChange {
    pub(super) id: ObjectId,
    pub(super) state: WidgetState,
}

/// How a widget shows the value.
pub(super) enum WidgetState {
    /// By a new appearance.
    Drawn,
    /// By one of its appearances.
    Named(Vec<u8>),
    /// By a new appearance with a name.
    NewlyNamed(Vec<u8>),
}

impl FieldChange {
    /// A field whose dictionary changed already.
    pub(super) fn unchanged(field: ObjectId) -> Self {
        Self {
            field,
            members: Vec::new(),
            widgets: Vec::new(),
        }
    }
}
