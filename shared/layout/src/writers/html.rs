//! Writes HTML: one accessible file without scripts, with embedded pictures.
//!
//! Pages form one flow; each page has an anchor such as `#page-7`. The header of the first page precedes the text; each different
//! header of the others is where it occurs first, unless it repeats a heading; each different footer follows the text. Fonts and
//! font sizes are dropped. Notes follow the content of their page and are linked with their references. Links with a scheme that
//! is not allowed become text.

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
use super::{Metadata, Pictures, Result, Writer};

/// Creates an HTML writer.
///
/// # Errors
/// If the output cannot be written.
pub fn html<'a>(
    mut output: impl Write + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Result<Box<dyn Writer + 'a>> {
    head(&mut output, metadata, STYLE)?;
    Ok(Box::new(Flow::new(Body::new(output, pictures))))
}

/// Writes the document up to the body, with this style sheet.
fn head(output: &mut impl Write, metadata: &Metadata, style: &str) -> Result {
    let title = Escaped(metadata.title.as_deref().unwrap_or_default());
    let language = metadata
        .language_tag()
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
