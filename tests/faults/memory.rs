//! Documents are streamed, so memory does not grow with their size.

use tests::memory;

/// Maximum additional memory, in bytes, for a large document compared to a small one.
const MAX_GROWTH: u64 = 16 << 20;

pub(crate) async fn stays_bounded() {
    for (function, small, large) in memory::peaks().await {
        let growth = large.saturating_sub(small);
        assert!(
            growth <= MAX_GROWTH,
            "{function} took {} MB more",
            growth >> 20
        );
    }
}
