//! Subscription rows that this release cannot read.

/// Logs rows written by a newer release. Their subscriptions receive no events until a release that can read them is
/// deployed.
pub fn report_unreadable(rows: &[String]) {
    if let Some(first) = rows.first() {
        let rows = rows.len();
        tracing::error!(
            rows,
            first,
            "subscription rows not readable by this release"
        );
        tracing::info!(target: "metrics", SubscriptionRowsUnreadable = rows as u64);
    }
}
