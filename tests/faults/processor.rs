//! Switches processors off.

use tests::stack::admin;

/// Keeps a processor switched off until dropped.
pub(crate) struct ProcessorOff(&'static str);

impl ProcessorOff {
    pub(crate) fn new(processor: &'static str) -> Self {
        assert_eq!(admin(&["processor", "off", processor])["on"], false);
        Self(processor)
    }
}

impl Drop for ProcessorOff {
    fn drop(&mut self) {
        admin(&["processor", "on", self.0]);
    }
}
