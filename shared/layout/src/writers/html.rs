//! Pages to HTML: one file without scripts, with its pictures within, that screen readers find their way in.
//!
//! Pages flow together; where one begins there is a mark that `#page-7` leads to. The header of the first page that has one
//! stands before the text, its footer behind it; those of other pages are left out, as are fonts and their sizes. Notes stand
//! after what their page says, linked with what refers to them. Links that run something or lead to a file are text.

mod body;
pub(super) mod fixed;
mod inline;
mod list;
mod pictures;
mod shape;

use std::io::Write;

use self::body::Body;
use super::flow::Flow;
use super::xml::Escaped;
use super::{Metadata, Outcome, Pictures, Writer};

/// A writer of HTML.
///
/// # Errors
/// If the output cannot be written.
pub fn html<'a>(
    mut output: impl Write + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Outcome<Box<dyn Writer + 'a>> {
    head(&mut output, metadata, STYLE)?;
    Ok(Box::new(Flow::new(Body::new(output, pictures))))
}

/// Everything up to the body, with these styles.
fn head(output: &mut impl Write, metadata: &Metadata, style: &str) -> Outcome {
    let title = Escaped(metadata.title.as_deref().unwrap_or_default());
    let language = metadata
        .tongue()
        .map_or_else(String::new, |language| format!(" lang=\"{language}\""));
    write!(
        output,
        "<!DOCTYPE html>
<html{language}>
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
"
    )?;
    Ok(())
}

const STYLE: &str = "\
body { max-width: 48em; margin: 2em auto; padding: 0 1em; font-family: sans-serif; line-height: 1.5 }
table { border-collapse: collapse; margin: 1em 0 }
th, td { padding: 0.2em 0.6em; text-align: start; vertical-align: top }
table.ruled th, table.ruled td { border: 1px solid }
th > :first-child, td > :first-child { margin-top: 0 }
th > :last-child, td > :last-child { margin-bottom: 0 }
figure { margin: 1em 0 }
img, figure > svg { max-width: 100%; height: auto }
pre { overflow: auto }
aside { font-size: smaller }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 0.2em solid }
.marked { list-style: none }
";
