//! Reads presentations (PresentationML). A page is a slide: its title first, then its shapes from top to bottom.

mod bullets;
mod shape;
mod slide;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use layout::Size;

use self::shape::template::Template;
use crate::error::Result;
use crate::package::{Package, Relations};
use crate::paper;
use crate::pictures::Pictures;
use crate::source::{Metadata, Source, UnnumberedPage};
use crate::units;
use crate::warning::{Loss, Warning};
use crate::xml::Element;

/// A presentation that is read slide by slide.
pub(crate) struct Presentation {
    package: Package,
    slides: VecDeque<String>,
    /// Page number of each visible slide.
    numbers: HashMap<String, u32>,
    templates: HashMap<String, Arc<Template>>,
    /// Layouts and masters whose texts were counted.
    counted: HashSet<String>,
    size: Size,
    metadata: Metadata,
    pages: u32,
}

/// Opens a presentation.
pub(crate) fn open(mut package: Package) -> Result<Presentation> {
    let metadata = package.metadata()?;
    let (root, relations) = package.main_tree("p:presentation")?;
    let slides = slides(&root, &relations);
    let numbers = slides
        .iter()
        .filter(|slide| is_page(&package, slide))
        .zip(1..)
        .map(|(slide, number)| (slide.clone(), number))
        .collect();
    Ok(Presentation {
        package,
        slides,
        numbers,
        templates: HashMap::new(),
        counted: HashSet::new(),
        size: size(&root),
        metadata,
        pages: 0,
    })
}

/// Whether a slide becomes a page.
fn is_page(package: &Package, slide: &str) -> bool {
    match package.root(slide) {
        Ok(root) => root.is_some_and(|root| !is_hidden(&root)),
        // Damage is reported when the whole slide is read.
        Err(_) => true,
    }
}

/// Whether a slide is hidden.
fn is_hidden(root: &Element) -> bool {
    matches!(root.get("show"), Some("0" | "false"))
}

fn slides(root: &Element, relations: &Relations) -> VecDeque<String> {
    let listed = root
        .find("p:sldIdLst")
        .into_iter()
        .flat_map(|list| list.all("p:sldId"));
    let target = |slide: &Element| {
        let relation = relations.internal(slide.get("r:id")?)?;
        Some(relation.target.clone())
    };
    listed.filter_map(target).collect()
}

fn size(root: &Element) -> Size {
    let size = root.find("p:sldSz");
    let length = |name| {
        size.and_then(|size| units::emu(size.get(name)?))
            .filter(|length| *length > 1.0)
    };
    match (length("cx"), length("cy")) {
        (Some(width), Some(height)) => Size { width, height },
        _ => paper::SLIDE,
    }
}

impl Source for Presentation {
    fn next(&mut self) -> Result<Option<UnnumberedPage>> {
        while let Some(part) = self.slides.pop_front() {
            self.package.losses.page = self.pages + 1;
            let Some(root) = self.package.tree(&part)? else {
                self.package.losses.add(Loss::Damaged);
                continue;
            };
            if is_hidden(&root) {
                self.package.losses.page = 0;
                self.package.losses.add(Loss::Hidden);
                continue;
            }
            self.pages += 1;
            return slide::read(self, &part, &root).map(Some);
        }
        Ok(None)
    }

    fn left(&self) -> usize {
        self.slides.len()
    }

    fn pictures(&self) -> Pictures {
        self.package.pictures.clone()
    }

    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn warnings(&self) -> Vec<Warning> {
        self.package.losses.all()
    }
}
