//! Pictures within a page of HTML. One that is shown over and over is written twice at most: what is shown once should be a
//! plain image, and whether it is shown again is known only then. From the third time on, the second is shown.

use std::collections::HashMap;
use std::io::Write;

use crate::writers::json::base64;
use crate::writers::xml::Escaped;
use crate::writers::{Outcome, PictureInfo, Pictures, picture};

/// How often each picture was shown so far.
#[derive(Default)]
pub(super) struct Shown(HashMap<usize, usize>);

/// A picture to be shown: its number, what is known of it, what it shows in words, and attributes, a space before each.
pub(super) struct Shot<'a> {
    pub(super) image: usize,
    pub(super) info: PictureInfo,
    pub(super) words: &'a str,
    pub(super) attributes: String,
}

impl Shown {
    /// Shows a picture.
    pub(super) fn write(
        &mut self,
        output: &mut impl Write,
        pictures: &dyn Pictures,
        shot: &Shot<'_>,
    ) -> Outcome {
        let times = self.0.entry(shot.image).or_default();
        *times += 1;
        match times {
            1 => image(output, pictures, shot),
            2 => drawing(output, shot, |output| defined(output, pictures, shot)),
            _ => drawing(output, shot, |output| {
                Ok(write!(output, "<use href=\"#picture-{}\"/>", shot.image)?)
            }),
        }
    }
}

fn image(output: &mut impl Write, pictures: &dyn Pictures, shot: &Shot<'_>) -> Outcome {
    let (words, attributes) = (Escaped(shot.words), &shot.attributes);
    write!(output, "<img alt=\"{words}\"{attributes} src=\"")?;
    data(output, pictures, shot)?;
    Ok(write!(output, "\">")?)
}

/// A picture in a frame of its size; readers that speak say of it what they say of an image.
fn drawing<W: Write>(
    output: &mut W,
    shot: &Shot<'_>,
    inner: impl FnOnce(&mut W) -> Outcome,
) -> Outcome {
    let PictureInfo { width, height, .. } = shot.info;
    let told = match shot.words {
        "" => "aria-hidden=\"true\"".to_owned(),
        words => format!("role=\"img\" aria-label=\"{}\"", Escaped(words)),
    };
    let (place, attributes) = (format!("0 0 {width} {height}"), &shot.attributes);
    write!(
        output,
        "<svg {told} viewBox=\"{place}\" preserveAspectRatio=\"none\"{attributes}>"
    )?;
    inner(output)?;
    Ok(write!(output, "</svg>")?)
}

fn defined(output: &mut impl Write, pictures: &dyn Pictures, shot: &Shot<'_>) -> Outcome {
    let PictureInfo { width, height, .. } = shot.info;
    let number = shot.image;
    write!(
        output,
        "<image id=\"picture-{number}\" width=\"{width}\" height=\"{height}\" href=\""
    )?;
    data(output, pictures, shot)?;
    Ok(write!(output, "\"/>")?)
}

fn data(output: &mut impl Write, pictures: &dyn Pictures, shot: &Shot<'_>) -> Outcome {
    write!(output, "data:{};base64,", shot.info.format.media_type())?;
    base64(&mut *picture::open(pictures, shot.image)?, output)
}
