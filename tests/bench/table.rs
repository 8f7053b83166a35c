//! The table of what was aimed at and what was measured, in Markdown.

/// A line of the table.
pub(crate) struct Row {
    work: String,
    goal: String,
    measured: String,
    how: &'static str,
}

impl Row {
    /// `goal` is written as a bound, as in `≤ 1.10`; `how` says what is compared with what.
    pub(crate) fn new(
        work: impl Into<String>,
        goal: impl Into<String>,
        measured: impl Into<String>,
        how: &'static str,
    ) -> Self {
        Self {
            work: work.into(),
            goal: goal.into(),
            measured: measured.into(),
            how,
        }
    }
}

pub(crate) fn print(rows: &[Row]) {
    println!("\n| work | goal | measured | how |\n|---|---|---|---|");
    for row in rows {
        println!(
            "| {} | {} | {} | {} |",
            row.work, row.goal, row.measured, row.how
        );
    }
}
