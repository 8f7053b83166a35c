//! What documents of Office Open XML [ECMA-376] have in common: the package of parts, and shapes and text of DrawingML.

pub(super) mod drawingml;
pub(super) mod outline;
pub(super) mod package;
