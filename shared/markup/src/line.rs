//! Collects the runs of a paragraph.

use layout::{NOTE, Run, Script, Style};

/// Runs of a paragraph; adjacent runs with the same style and link are merged.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line {
    runs: Vec<Run>,
}

impl Line {
    /// Creates a line that starts with these runs.
    pub(crate) fn of(runs: Vec<Run>) -> Self {
        Self { runs }
    }

    /// Returns the runs untrimmed.
    pub(crate) fn into_runs(self) -> Vec<Run> {
        self.runs
    }

    /// The runs so far.
    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Whether the text begins with a tab or at least two spaces.
    pub(crate) fn begins_with_spaces(&self) -> bool {
        let characters = self.runs.iter().flat_map(|run| run.text.chars());
        let mut spaces = characters.take_while(|c| c.is_whitespace() && *c != '\n');
        match spaces.next() {
            Some('\t') => true,
            Some(_) => spaces.next().is_some(),
            None => false,
        }
    }

    /// Appends text.
    pub(crate) fn push(&mut self, text: &str, style: &Style, link: Option<&str>) {
        if text.is_empty() {
            return;
        }
        match self.runs.last_mut() {
            Some(last) if last.style == *style && last.link.as_deref() == link => {
                last.text.push_str(text);
            }
            _ => self.runs.push(Run {
                text: text.to_owned(),
                style: style.clone(),
                link: link.map(str::to_owned),
            }),
        }
    }

    /// Appends a reference to a footnote.
    pub(crate) fn push_reference(&mut self, label: &str, style: &Style) {
        let style = Style {
            script: Script::Super,
            ..style.clone()
        };
        self.push(label, &style, Some(NOTE));
    }

    /// Appends runs.
    pub(crate) fn extend(&mut self, runs: Vec<Run>) {
        for run in runs {
            self.push(&run.text, &run.style, run.link.as_deref());
        }
    }

    /// Whether there is only white space.
    pub(crate) fn is_blank(&self) -> bool {
        self.runs.iter().all(|run| run.text.trim().is_empty())
    }

    /// Returns the last character.
    pub(crate) fn last(&self) -> Option<char> {
        self.runs.last()?.text.chars().next_back()
    }

    /// Returns the runs without leading and trailing white space.
    pub(crate) fn trimmed(self) -> Vec<Run> {
        let mut runs = self.trimmed_end();
        let first_visible = runs.iter().position(|run| !run.text.trim().is_empty());
        runs.drain(..first_visible.unwrap_or(runs.len()));
        if let Some(first) = runs.first_mut() {
            first.text = first.text.trim_start().to_owned();
        }
        runs
    }

    /// Returns the runs without trailing white space and without leading empty lines.
    pub(crate) fn trimmed_end(self) -> Vec<Run> {
        let mut runs = self.runs;
        while let Some(last) = runs.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            runs.pop();
        }
        if let Some(first) = runs.first_mut() {
            first.text = first.text.trim_start_matches('\n').to_owned();
        }
        // Most paragraphs are a single run; spare capacity would add up over a document.
        runs.shrink_to_fit();
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_with_the_same_style_are_merged() {
        let bold = Style {
            bold: true,
            ..Style::default()
        };
        let mut line = Line::default();
        line.push("  a", &Style::default(), None);
        line.push("b", &Style::default(), None);
        line.push("c ", &bold, None);
        line.push(" ", &Style::default(), None);
        let texts: Vec<String> = line.trimmed().into_iter().map(|run| run.text).collect();
        assert_eq!(texts, ["ab", "c"]);
    }

    #[test]
    fn a_line_of_blanks_has_no_runs() {
        let bold = Style {
            bold: true,
            ..Style::default()
        };
        let mut line = Line::default();
        line.push(" \n", &Style::default(), None);
        line.push("\t", &bold, None);
        assert!(line.is_blank());
        assert_eq!(line.trimmed(), Vec::new());
    }
}
