//! Entries of a PDF catalog.

/// Entries of the document catalog that cannot be reached through the page tree [ISO 32000-1, 7.7.2].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// Whether it has a structure tree.
    pub tags: bool,
    /// Whether it has an outline, named destinations or optional content groups.
    pub outline_names_or_layers: bool,
    /// Whether it has an `AcroForm`.
    pub form: bool,
}

impl Catalog {
    /// The value for a catalog that was not parsed: all entries may be present.
    pub const UNKNOWN: Self = Self {
        tags: true,
        outline_names_or_layers: true,
        form: true,
    };
}
