//! Links of a page: relative ones start at its base, and those to places in it lead to the only page.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;
use url::{ParseError, Url};

use crate::link;
use crate::warning::Losses;
use crate::xml::Element;

/// The target of links to places in the page.
const PAGE: &str = "#page=1";

/// Where the links of a page lead.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The first `href` of a `base` element.
    declared: Option<String>,
    /// The base, if it is on the web.
    base: Option<Url>,
    /// The folder of a relative base, with its slash.
    folder: String,
    places: HashSet<String>,
}

impl Links {
    /// Finds the base and the places of a page.
    pub(super) fn of(root: &Element) -> Self {
        let mut links = Self::default();
        links.collect(root);
        // Each relative link becomes as long as the base.
        let declared = links.declared.as_deref().map(str::trim);
        let declared = declared.filter(|base| base.len() <= link::LONGEST);
        let declared = with_scheme(declared.unwrap_or_default());
        match Url::parse(&declared) {
            Ok(base) => links.base = Some(base).filter(|base| base.scheme().starts_with("http")),
            Err(ParseError::RelativeUrlWithoutBase) => {
                let path = declared.split(['?', '#']).next().unwrap_or_default();
                let folder = path.rsplit_once('/').map(|(folder, _)| folder);
                links.folder = folder
                    .map(|folder| format!("{folder}/"))
                    .unwrap_or_default();
            }
            Err(_) => {}
        }
        links
    }

    /// Finds the places of the document of a frame, whose base is that of the page around it unless it has its own.
    pub(super) fn of_frame(&self, root: &Element) -> Self {
        let links = Self::of(root);
        match links.declared {
            Some(_) => links,
            None => Self {
                base: self.base.clone(),
                folder: self.folder.clone(),
                ..links
            },
        }
    }

    fn collect(&mut self, element: &Element) {
        for inner in element.elements() {
            let name = inner.get("name").filter(|_| inner.is("a"));
            let places = inner.get("id").into_iter().chain(name);
            self.places.extend(places.map(str::to_owned));
            if inner.is("base") && self.declared.is_none() {
                self.declared = inner.get("href").map(str::to_owned);
            }
            self.collect(inner);
        }
    }

    /// Returns the target of a link. A dropped link is counted, unless its place does not exist in the page.
    pub(super) fn target(&self, element: &Element, losses: &mut Losses) -> Option<String> {
        let link = element.get("href")?.trim();
        if let Some(place) = link.strip_prefix('#') {
            let place = percent_decode_str(place).decode_utf8_lossy();
            return self.places.contains(&*place).then(|| PAGE.to_owned());
        }
        link::kept(&self.resolved(link), losses)
    }

    fn resolved(&self, link: &str) -> String {
        let is_relative = Url::parse(link) == Err(ParseError::RelativeUrlWithoutBase);
        match &self.base {
            Some(base) if is_relative => base
                .join(link)
                .map_or_else(|_| link.to_owned(), String::from),
            None if is_relative && !link.is_empty() && !link.starts_with(['/', '\\', '?']) => {
                format!("{}{link}", self.folder)
            }
            _ => with_scheme(link),
        }
    }
}

/// A link to a host without a scheme has that of the page, which is not known.
fn with_scheme(link: &str) -> String {
    match link.starts_with("//") {
        true => format!("https:{link}"),
        false => link.to_owned(),
    }
}
