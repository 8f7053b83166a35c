//! Operation `cleanup`: improves the legibility of scanned pages with [`imaging::cleanup`].

use domain::operation::Operation;

use super::{Module, Run, reencode};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        matches!(operation, Operation::Cleanup(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::image,
    run: Run::Child(reencode::run),
    verify: verify::image_to_image,
    fingerprint: |_, to| reencode::fingerprint(to),
};
