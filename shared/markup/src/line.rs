//! The runs of a paragraph while it is read.

use layout::{NOTE, Run, Script, Style};

/// Runs, those that look the same and lead to the same place as one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line {
    runs: Vec<Run>,
}

impl Line {
    /// A line that goes on behind these runs.
    pub(crate) fn of(runs: Vec<Run>) -> Self {
        Self { runs }
    }

    /// The runs as they are.
    pub(crate) fn into_runs(self) -> Vec<Run> {
        self.runs
    }

    /// The runs so far.
    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Whether two spaces or a tab stand before what it says.
    pub(crate) fn begins_with_spaces(&self) -> bool {
        let characters = self.runs.iter().flat_map(|run| run.text.chars());
        let mut spaces = characters.take_while(|c| c.is_whitespace() && *c != '\n');
        match spaces.next() {
            Some('\t') => true,
            Some(_) => spaces.next().is_some(),
            None => false,
        }
    }

    /// Adds text behind what is there.
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

    /// Adds what refers to a note.
    pub(crate) fn push_reference(&mut self, label: &str, style: &Style) {
        let style = Style {
            script: Script::Super,
            ..style.clone()
        };
        self.push(label, &style, Some(NOTE));
    }

    /// Adds runs behind what is there.
    pub(crate) fn extend(&mut self, runs: Vec<Run>) {
        for run in runs {
            self.push(&run.text, &run.style, run.link.as_deref());
        }
    }

    /// Whether it says nothing.
    pub(crate) fn is_blank(&self) -> bool {
        self.runs.iter().all(|run| run.text.trim().is_empty())
    }

    /// The last character.
    pub(crate) fn last(&self) -> Option<char> {
        self.runs.last()?.text.chars().next_back()
    }

    /// The runs without white space at either end.
    pub(crate) fn trimmed(self) -> Vec<Run> {
        let mut runs = self.without_end();
        let said = runs.iter().position(|run| !run.text.trim().is_empty());
        runs.drain(..said.unwrap_or(runs.len()));
        if let Some(first) = runs.first_mut() {
            first.text = first.text.trim_start().to_owned();
        }
        runs
    }

    /// The runs without white space at the end, and without empty lines at the beginning.
    pub(crate) fn without_end(self) -> Vec<Run> {
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
        // Most paragraphs are one run, and a document has as many as it likes.
        runs.shrink_to_fit();
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_look_the_same_are_one() {
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
