//! The pages of an image: one, or each page of a TIFF.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use image::DynamicImage;
use imaging::tiff;
use task::{Fault, Outcome, Task};

use super::picture::Picture;

/// Calls `give` with the picture of each page, upright; `most` are looked for.
pub(super) fn pictures(
    task: &Task,
    most: u32,
    mut give: impl FnMut(usize, Picture) -> Outcome<()>,
) -> Outcome<()> {
    if task.from != Format::Tiff {
        let picture = imaging::decode(open(task)?, task.from)?;
        let density = imaging::density(open(task)?, task.from);
        return give(0, upright(picture, density));
    }
    for (index, directory) in tiff::pages(&mut open(task)?, most as usize)?
        .into_iter()
        .enumerate()
    {
        let page = || Ok::<_, Fault>(tiff::Page::new(open(task)?, directory.clone()));
        let picture = imaging::decode(page()?, task.from)?;
        let density = imaging::density(page()?, task.from);
        give(index, upright(picture, density))?;
    }
    Ok(())
}

/// What one page shows, upright, in its colours.
pub(super) fn shown(task: &Task, index: usize) -> Outcome<DynamicImage> {
    let picture = match task.from {
        Format::Tiff => {
            let mut directories = tiff::pages(&mut open(task)?, index + 1)?.into_iter();
            let directory = directories.nth(index).ok_or_else(Fault::corrupt)?;
            imaging::decode(tiff::Page::new(open(task)?, directory), task.from)?
        }
        _ => imaging::decode(open(task)?, task.from)?,
    };
    let mut pixels = picture.pixels;
    pixels.apply_orientation(picture.orientation);
    Ok(pixels)
}

fn upright(mut picture: imaging::Picture, density: Option<(f32, f32)>) -> Picture {
    picture.pixels.apply_orientation(picture.orientation);
    Picture::of(picture.pixels, density.map(|(across, _)| across))
}

/// Width and height of each page as it stands upright; `most` are looked for.
pub(super) fn sides(task: &Task, most: u32) -> Outcome<Vec<(u32, u32)>> {
    if task.from != Format::Tiff {
        let (sides, _) = imaging::upright_sides(open(task)?, task.from)?;
        return Ok(vec![sides]);
    }
    let directories = tiff::pages(&mut open(task)?, most as usize)?;
    let sides = |directory| {
        let page = tiff::Page::new(open(task)?, directory);
        imaging::upright_sides(page, task.from).map(|(sides, _)| sides)
    };
    directories.into_iter().map(sides).collect()
}

fn open(task: &Task) -> Outcome<BufReader<File>> {
    Ok(BufReader::new(File::open(&task.source)?))
}
