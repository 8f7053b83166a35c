//! Operation `rotate` on images: rotates by multiples of 90 degrees without resampling.

use domain::format::Category;
use domain::operation::Operation;

use super::{Module, Run, reencode};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        matches!(operation, Operation::Rotate(_))
            && from.spec().category == Category::Image
            && operation.resolve(from).is_some()
    },
    inspect: inspect::image,
    run: Run::Child(reencode::run),
    verify: verify::image_to_image,
    fingerprint: |_, to| reencode::fingerprint(to),
};
