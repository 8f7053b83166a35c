//! A processor that is switched off for a while.

use tests::stack::admin;

/// Switches the processor on again when it is dropped.
pub(crate) struct Off(&'static str);

impl Off {
    pub(crate) fn new(processor: &'static str) -> Self {
        assert_eq!(admin(&["processor", "off", processor])["on"], false);
        // The poll that is under way may still take a message.
        std::thread::sleep(std::time::Duration::from_secs(2));
        Self(processor)
    }
}

impl Drop for Off {
    fn drop(&mut self) {
        admin(&["processor", "on", self.0]);
    }
}
