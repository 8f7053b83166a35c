//! Properties that slides inherit from their layout and its master: bounds and text styles of placeholders.

use layout::Rect;

use crate::error::Result;
use crate::package::Package;
use crate::pptx::shape;
use crate::theme::Theme;
use crate::xml::Element;

/// Maximum number of placeholders that are read from a layout.
const PLACEHOLDERS: usize = 200;

/// A slide layout with its master.
#[derive(Clone, Debug, Default)]
pub(in crate::pptx) struct Template {
    pub(in crate::pptx) theme: Theme,
    /// Placeholders of the layout, and of its master.
    placeholders: [Vec<(Key, Placeholder)>; 2],
    /// The parts that slides show, with the number of their shapes with text besides placeholders.
    pub(in crate::pptx) texts: Vec<(String, u32)>,
    title: Option<Element>,
    body: Option<Element>,
    other: Option<Element>,
}

/// Type and index of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::pptx) struct Key {
    pub(in crate::pptx) kind: String,
    pub(in crate::pptx) index: String,
}

#[derive(Clone, Debug)]
struct Placeholder {
    bounds: Option<Rect>,
    levels: Option<Element>,
}

impl Template {
    /// Reads the layout of a slide.
    pub(in crate::pptx) fn read(package: &mut Package, layout: &str) -> Result<Self> {
        let relations = package.relations(layout)?;
        let root = package.optional_tree(layout)?;
        let mut template = Self::default();
        template.placeholders[0] = root.as_ref().map(placeholders).unwrap_or_default();
        if let Some(root) = &root {
            template.texts.push((layout.to_owned(), texts(root)));
        }
        let shows_master = root.as_ref().is_none_or(shows_master);
        let Some(master) = relations
            .of_kind("slideMaster")
            .next()
            .map(|master| master.target.clone())
        else {
            return Ok(template);
        };
        let Some(root) = package.optional_tree(&master)? else {
            return Ok(template);
        };
        template.placeholders[1] = placeholders(&root);
        if shows_master {
            template.texts.push((master.clone(), texts(&root)));
        }
        let style = |name| root.at(&["p:txStyles", name]).cloned();
        (template.title, template.body, template.other) = (
            style("p:titleStyle"),
            style("p:bodyStyle"),
            style("p:otherStyle"),
        );
        let relations = package.relations(&master)?;
        if let Some(theme) = relations.of_kind("theme").next() {
            template.theme = package
                .optional_tree(&theme.target)?
                .as_ref()
                .map(Theme::read)
                .unwrap_or_default();
        }
        Ok(template)
    }

    /// Returns the bounds of a placeholder.
    pub(in crate::pptx) fn bounds(&self, key: &Key) -> Option<Rect> {
        self.found(key).find_map(|placeholder| placeholder.bounds)
    }

    /// Returns the list styles that apply to a shape, the nearest first.
    pub(in crate::pptx) fn levels<'a>(&'a self, key: Option<&'a Key>) -> Vec<&'a Element> {
        let mut levels = Vec::new();
        if let Some(key) = key {
            levels.extend(
                self.found(key)
                    .filter_map(|placeholder| placeholder.levels.as_ref()),
            );
        }
        let style = match key.map(|key| key.kind.as_str()) {
            Some("title" | "ctrTitle") => &self.title,
            Some("dt" | "ftr" | "sldNum") | None => &self.other,
            Some(_) => &self.body,
        };
        levels.extend(style);
        levels
    }

    fn found<'a>(&'a self, key: &'a Key) -> impl Iterator<Item = &'a Placeholder> {
        let [layout, master] = &self.placeholders;
        let by_index = layout
            .iter()
            .find(|(other, _)| other.index == key.index && !key.index.is_empty());
        let own = layout.iter().find(|(other, _)| other == key).or(by_index);
        let own = own.map(|(_, found)| found);
        let family = |kind: &str| match kind {
            "ctrTitle" | "title" => "title",
            "dt" => "dt",
            "ftr" => "ftr",
            "sldNum" => "sldNum",
            _ => "body",
        };
        let below = master
            .iter()
            .find(|(other, _)| family(&other.kind) == family(&key.kind));
        own.into_iter().chain(below.map(|(_, found)| found))
    }
}

impl Key {
    /// Returns the placeholder of a shape; `None` if it is none.
    pub(in crate::pptx) fn of(shape: &Element) -> Option<Self> {
        let properties = shape.elements().find_map(|inner| inner.find("p:nvPr"))?;
        let placeholder = properties.find("p:ph")?;
        let attribute = |name| placeholder.get(name).unwrap_or_default().to_owned();
        let kind = attribute("type");
        Some(Self {
            kind: if kind.is_empty() {
                "obj".to_owned()
            } else {
                kind
            },
            index: attribute("idx"),
        })
    }
}

/// Whether a slide or layout shows the shapes of its layout and master.
pub(in crate::pptx) fn shows_master(root: &Element) -> bool {
    !matches!(root.get("showMasterSp"), Some("0" | "false"))
}

/// The number of shapes with text that are not placeholders.
fn texts(root: &Element) -> u32 {
    let tree = root.at(&["p:cSld", "p:spTree"]);
    let shapes = tree.into_iter().flat_map(Element::elements);
    let shapes = shapes.filter(|shape| !shape::is_hidden(shape) && Key::of(shape).is_none());
    let with_text = shapes.filter(|shape| !shape.text().trim().is_empty());
    with_text.map(|_| 1).sum()
}

fn placeholders(root: &Element) -> Vec<(Key, Placeholder)> {
    let tree = root.at(&["p:cSld", "p:spTree"]);
    let shapes = tree.into_iter().flat_map(|tree| tree.elements());
    let placeholder = |shape: &Element| {
        let found = Placeholder {
            bounds: shape::bounds(shape),
            levels: shape.at(&["p:txBody", "a:lstStyle"]).cloned(),
        };
        Some((Key::of(shape)?, found))
    };
    shapes.filter_map(placeholder).take(PLACEHOLDERS).collect()
}
