//! The result table in Markdown: goals and measured values.

/// A row of the table.
pub(crate) struct Row {
    operation: String,
    goal: String,
    measured: String,
    comparison: &'static str,
}

impl Row {
    /// `goal` is a bound such as `≤ 1.10`; `comparison` describes the comparison.
    pub(crate) fn new(
        operation: impl Into<String>,
        goal: impl Into<String>,
        measured: impl Into<String>,
        comparison: &'static str,
    ) -> Self {
        Self {
            operation: operation.into(),
            goal: goal.into(),
            measured: measured.into(),
            comparison,
        }
    }
}

pub(crate) fn print(rows: &[Row]) {
    println!("\n| operation | goal | measured | comparison |\n|---|---|---|---|");
    for row in rows {
        println!(
            "| {} | {} | {} | {} |",
            row.operation, row.goal, row.measured, row.comparison
        );
    }
}
