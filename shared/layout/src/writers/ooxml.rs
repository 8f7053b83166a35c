//! Shared parts of Office Open XML [ECMA-376]: packages, and shapes and text of DrawingML.

pub(super) mod drawingml;
pub(super) mod outline;
pub(super) mod package;
