//! Documents pass through in a stream.

use tests::memory;

/// How much more memory a large document may take than a small one: buffers, not documents.
const GROWTH: u64 = 16 << 20;

pub(crate) async fn stays_level() {
    for (function, small, large) in memory::peaks().await {
        let growth = large.saturating_sub(small);
        assert!(growth <= GROWTH, "{function} took {} MB more", growth >> 20);
    }
}
