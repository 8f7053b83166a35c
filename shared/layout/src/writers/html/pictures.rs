//! Embedded pictures. A repeated picture is written at most twice: first as a plain image, then as an SVG symbol, which all
//! further uses reference. Whether it repeats is unknown at its first use.

use std::collections::HashMap;
use std::io::Write;

use crate::writers::json::base64;
use crate::writers::xml::Escaped;
use crate::writers::{PictureInfo, Pictures, Result, picture};

/// Number of uses of each picture so far.
#[derive(Default)]
pub(super) struct PictureUses(HashMap<usize, usize>);

/// A use of a picture: number, properties, alternative text and attributes, each with a leading space.
pub(super) struct PictureUse<'a> {
    pub(super) image: usize,
    pub(super) info: PictureInfo,
    pub(super) words: &'a str,
    pub(super) attributes: String,
}

impl PictureUses {
    /// Writes a picture.
    pub(super) fn write(
        &mut self,
        output: &mut impl Write,
        pictures: &dyn Pictures,
        usage: &PictureUse<'_>,
    ) -> Result {
        let times = self.0.entry(usage.image).or_default();
        *times += 1;
        match times {
            1 => image(output, pictures, usage),
            2 => drawing(output, usage, |output| defined(output, pictures, usage)),
            _ => drawing(output, usage, |output| {
                Ok(write!(output, "<use href=\"#picture-{}\"/>", usage.image)?)
            }),
        }
    }
}

fn image(output: &mut impl Write, pictures: &dyn Pictures, usage: &PictureUse<'_>) -> Result {
    let (words, attributes) = (Escaped(usage.words), &usage.attributes);
    write!(output, "<img alt=\"{words}\"{attributes} src=\"")?;
    data(output, pictures, usage)?;
    Ok(write!(output, "\">")?)
}

/// Writes a picture in an SVG of its size, with the accessibility attributes of an image.
fn drawing<W: Write>(
    output: &mut W,
    usage: &PictureUse<'_>,
    inner: impl FnOnce(&mut W) -> Result,
) -> Result {
    let PictureInfo { width, height, .. } = usage.info;
    let accessibility = match usage.words {
        "" => "aria-hidden=\"true\"".to_owned(),
        words => format!("role=\"img\" aria-label=\"{}\"", Escaped(words)),
    };
    let (place, attributes) = (format!("0 0 {width} {height}"), &usage.attributes);
    write!(
        output,
        "<svg {accessibility} viewBox=\"{place}\" preserveAspectRatio=\"none\"{attributes}>"
    )?;
    inner(output)?;
    Ok(write!(output, "</svg>")?)
}

fn defined(output: &mut impl Write, pictures: &dyn Pictures, usage: &PictureUse<'_>) -> Result {
    let PictureInfo { width, height, .. } = usage.info;
    let number = usage.image;
    write!(
        output,
        "<image id=\"picture-{number}\" width=\"{width}\" height=\"{height}\" href=\""
    )?;
    data(output, pictures, usage)?;
    Ok(write!(output, "\"/>")?)
}

fn data(output: &mut impl Write, pictures: &dyn Pictures, usage: &PictureUse<'_>) -> Result {
    write!(output, "data:{};base64,", usage.info.format.media_type())?;
    base64(&mut *picture::open(pictures, usage.image)?, output)
}
