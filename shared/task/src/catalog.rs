//! What the catalog of a PDF has.

/// What a catalog has that none of the document's pages leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// Whether there are tags.
    pub tags: bool,
    /// Whether there is an outline, or there are names or layers.
    pub others: bool,
    /// Whether there is a form.
    pub form: bool,
}

impl Catalog {
    /// There may be anything.
    pub const UNKNOWN: Self = Self {
        tags: true,
        others: true,
        form: true,
    };
}
