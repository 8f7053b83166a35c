//! Finds the tables of a Markdown source: a row after a blank line, and below it a rule with as many columns.

/// The state between the lines of a source.
#[derive(Default)]
pub(super) struct SourceTables {
    /// Number of columns of the line before, if it may be the first row of a table.
    first_row: Option<usize>,
    is_after_text: bool,
    /// End tag of the open HTML block, in which Markdown has no markup.
    html_end: Option<&'static str>,
}

impl SourceTables {
    /// Returns whether this line is the rule of a table of which several cells have text.
    pub(super) fn begins(&mut self, line: &str, is_code: bool) -> bool {
        let trimmed = line.trim_start();
        if !is_code {
            self.html_end = next_html_end(self.html_end, trimmed);
        }
        let indent = line.strip_suffix(trimmed).unwrap_or_default();
        let is_indented = indent.len() >= MAX_INDENT || indent.contains('\t');
        let is_row = trimmed.starts_with('|') && !is_code && !is_indented;
        let row = Some(trimmed).filter(|_| is_row && self.html_end.is_none());
        let rule = row.and_then(columns_of_rule);
        let begins = rule.is_some() && rule == self.first_row;
        self.first_row = row.filter(|_| !self.is_after_text).and_then(columns);
        self.is_after_text = !trimmed.is_empty();
        begins
    }
}

/// End tag of the HTML block that is open after a line.
fn next_html_end(open: Option<&'static str>, line: &str) -> Option<&'static str> {
    const BLOCKS: [(&str, &str); 5] = [
        ("<!--", "-->"),
        ("<pre", "</pre>"),
        ("<script", "</script>"),
        ("<style", "</style>"),
        ("<textarea", "</textarea>"),
    ];
    let line = line.to_ascii_lowercase();
    let begins = BLOCKS.iter().find(|(start, _)| line.starts_with(start));
    let open = open.or(begins.map(|(_, end)| *end));
    open.filter(|end| !line.contains(end))
}

/// Number of spaces from which on an indented line is code.
const MAX_INDENT: usize = 4;

/// The number of columns of a row, if several have text.
fn columns(row: &str) -> Option<usize> {
    let texts = cells(row).filter(|cell| !cell.trim().is_empty());
    (texts.count() > 1).then(|| cells(row).count())
}

/// The number of columns if this row is the rule below the first row of a table.
fn columns_of_rule(row: &str) -> Option<usize> {
    let is_dash = |cell: &str| !cell.is_empty() && cell.chars().all(|sign| sign == '-');
    let is_rule = cells(row).all(|cell| is_dash(cell.trim().trim_matches(':')));
    is_rule.then(|| cells(row).count())
}

fn cells(row: &str) -> impl Iterator<Item = &str> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    row.strip_suffix('|').unwrap_or(row).split('|')
}

#[cfg(test)]
mod tests {
    use crate::content::markdown::read;
    use crate::content::scope::Scope;
    use crate::content::test_files;

    #[test]
    fn tables_of_sources_are_counted() {
        let tables = |source: &str| {
            let items = test_files::items(source.as_bytes(), |path, take| {
                read(path, Scope::default(), take)
            });
            items.unwrap().matches('&').count()
        };
        let table = "| a | b |\n|:--|--:|\n| c | d |\n";
        assert_eq!(tables(table), 1);
        assert_eq!(tables(&format!("x\n\n{table}\ny\n\n{table}")), 2);
        assert_eq!(tables(&format!("~~~\n\n{table}~~~\n")), 0);
        assert_eq!(tables("    | a | b |\n    |---|---|\n"), 0);
        assert_eq!(tables("| a | b |\n| c | d |\n|---|---|\n"), 0);
        assert_eq!(tables("| a | b |\n|---|---|---|\n"), 0);
        assert_eq!(tables("| a |  |\n|---|---|\n"), 0);
        for raw in [
            "\t| a | b |\n\t|---|---|\n",
            "<!--\n\n| a | b |\n|---|---|\n\n-->",
            "````\n```\n\n| a | b |\n|---|---|\n```\n````",
            "```\n~~~\n\n| a | b |\n|---|---|\n```",
            "| a | b |\n||---|---|\n",
        ] {
            assert_eq!(tables(raw), 0, "{raw}");
        }
    }
}
