//! Subscriptions that a release cannot read.

/// Tells the operator of rows that another release wrote: their subscriptions hear of nothing until one can read them.
pub fn report_unreadable(rows: &[String]) {
    if let Some(first) = rows.first() {
        let rows = rows.len();
        tracing::error!(rows, first, "subscriptions that this release cannot read");
        tracing::info!(target: "metrics", SubscriptionRowsUnreadable = rows as u64);
    }
}
