//! The pages of an image: one, or the pages of a TIFF.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use image::DynamicImage;
use imaging::tiff;
use task::{Task, TaskError, TaskResult};

use super::picture::{Picture, credible};

/// Width and height in pixels, and the stated resolution.
pub(super) type Sides = ((u32, u32), Option<i32>);

/// Calls `give` with the upright picture of each page, at most `most`.
pub(super) fn for_each_picture(
    task: &Task,
    most: u32,
    mut give: impl FnMut(usize, Picture) -> TaskResult<()>,
) -> TaskResult<()> {
    if task.from != Format::Tiff {
        let picture = imaging::decode(open(task)?, task.from)?;
        let density = imaging::density(open(task)?, task.from);
        return give(0, upright(picture, density));
    }
    for (index, directory) in tiff::pages(&mut open(task)?, most as usize)?
        .into_iter()
        .enumerate()
    {
        let page = || Ok::<_, TaskError>(tiff::Page::new(open(task)?, directory.clone()));
        let picture = imaging::decode(page()?, task.from)?;
        let density = imaging::density(page()?, task.from);
        give(index, upright(picture, density))?;
    }
    Ok(())
}

/// Decodes one page in color, upright.
pub(super) fn decode_page(task: &Task, index: usize) -> TaskResult<DynamicImage> {
    let picture = match task.from {
        Format::Tiff => {
            let mut directories = tiff::pages(&mut open(task)?, index + 1)?.into_iter();
            let directory = directories
                .nth(index)
                .ok_or_else(TaskError::input_corrupt)?;
            imaging::decode(tiff::Page::new(open(task)?, directory), task.from)?
        }
        _ => imaging::decode(open(task)?, task.from)?,
    };
    let mut pixels = picture.pixels;
    pixels.apply_orientation(picture.orientation);
    Ok(pixels)
}

/// Decodes one page, upright.
pub(super) fn picture(task: &Task, index: usize, stated: Option<i32>) -> TaskResult<Picture> {
    let mut picture = Picture::of(decode_page(task, index)?, None);
    picture.resolution = stated;
    Ok(picture)
}

fn upright(mut picture: imaging::DecodedImage, density: Option<(f32, f32)>) -> Picture {
    picture.pixels.apply_orientation(picture.orientation);
    Picture::of(picture.pixels, density.map(|(across, _)| across))
}

/// Returns width and height of each upright page, at most `most`, and the resolution that it states.
pub(super) fn sides(task: &Task, most: u32) -> TaskResult<Vec<Sides>> {
    if task.from != Format::Tiff {
        let (sides, _) = imaging::upright_dimensions(open(task)?, task.from)?;
        return Ok(vec![(
            sides,
            stated(imaging::density(open(task)?, task.from)),
        )]);
    }
    let directories = tiff::pages(&mut open(task)?, most as usize)?;
    let sides = |directory: tiff::Directory| {
        let page = || Ok::<_, TaskError>(tiff::Page::new(open(task)?, directory.clone()));
        let (sides, _) = imaging::upright_dimensions(page()?, task.from)?;
        Ok::<Sides, TaskError>((sides, stated(imaging::density(page()?, task.from))))
    };
    directories.into_iter().map(sides).collect()
}

fn stated(density: Option<(f32, f32)>) -> Option<i32> {
    density.and_then(|(across, _)| credible(across))
}

fn open(task: &Task) -> TaskResult<BufReader<File>> {
    Ok(BufReader::new(File::open(&task.source)?))
}
