//! Website: home page with a conversion demo, formats and plans; documentation; style, script and pictures.

use bytes::Bytes;
use contract::BASE_PATH;
use contract::formats::{ConversionEntry, Formats};
use domain::format::Format;
use domain::key::Pepper;
use domain::plan::{PLANS, PlanLimits, Unit};
use domain::sandbox_token;
use runtime::api::StaticFile;

use crate::docs::{self, Doc};

const INDEX: &str = include_str!("../page/index.html");

/// Rendered pages. Only the sandbox token of the home page is still a placeholder.
pub(crate) struct Pages {
    index: String,
}

impl Pages {
    /// Renders the pages from the tables of formats, operations and plans.
    pub(crate) fn from_tables() -> Self {
        let formats = Formats::of_tables();
        let index = INDEX
            .replace("{{sandbox-formats}}", &sandbox_formats(&formats))
            .replace("{{conversions}}", &conversions(&formats))
            .replace("{{operations}}", &operations(&formats))
            .replace("{{plans}}", &PLANS.iter().map(plan).collect::<String>())
            .replace("{{base-path}}", BASE_PATH);
        Self { index }
    }

    /// Returns the home page with a new sandbox token.
    pub(crate) fn index(&self, pepper: &Pepper) -> StaticFile {
        let token = sandbox_token::mint(pepper, runtime::clock::now());
        StaticFile {
            content_type: "text/html; charset=utf-8",
            body: self.index.replace("{{sandbox-token}}", &token).into(),
            is_public: false,
        }
    }
}

/// Returns a documentation page.
pub(crate) fn doc(doc: &Doc) -> StaticFile {
    StaticFile {
        content_type: "text/html; charset=utf-8",
        body: docs::render(doc).into(),
        is_public: true,
    }
}

/// Returns a picture of a documentation page.
pub(crate) fn picture(png: &'static [u8]) -> StaticFile {
    file("image/png", png)
}

/// Returns the style sheet.
pub(crate) fn style() -> StaticFile {
    file(
        "text/css; charset=utf-8",
        include_bytes!("../page/site.css"),
    )
}

/// Returns the script of the home page.
pub(crate) fn script() -> StaticFile {
    let script = include_bytes!("../page/site.js");
    file("text/javascript; charset=utf-8", script)
}

/// Returns the icon.
pub(crate) fn icon() -> StaticFile {
    file("image/svg+xml", include_bytes!("../page/icon.svg"))
}

fn file(content_type: &'static str, content: &'static [u8]) -> StaticFile {
    StaticFile {
        content_type,
        body: Bytes::from_static(content),
        is_public: true,
    }
}

/// Lists the target formats of the sandbox's sample as `<option>` elements.
fn sandbox_formats(formats: &Formats) -> String {
    let targets = formats
        .conversions
        .get(Format::Docx.id())
        .into_iter()
        .flatten();
    let option = |target: &ConversionEntry| format!("<option>{}</option>\n", target.format);
    targets.map(option).collect()
}

fn conversions(formats: &Formats) -> String {
    let row = |(from, targets): (&String, &Vec<_>)| {
        let names = targets
            .iter()
            .map(|target: &ConversionEntry| target.format.id());
        let names = names.collect::<Vec<_>>().join(", ");
        format!("<tr><th scope=\"row\">{from}</th><td>{names}</td></tr>\n")
    };
    formats.conversions.iter().map(row).collect()
}

fn operations(formats: &Formats) -> String {
    let names = formats
        .operations
        .iter()
        .map(|operation| operation.name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

fn plan(plan: &PlanLimits) -> String {
    let unit = match plan.unit {
        Unit::Requests => "requests",
        Unit::Credits => "credits",
    };
    let included = match (plan.per_day, plan.per_month) {
        (Some(day), Some(month)) => format!("{day} {unit} a day, {month} a month"),
        (None, Some(month)) => format!("{month} {unit} a month"),
        _ => "unlimited".to_owned(),
    };
    let megabytes = plan.file_bytes / domain::plan::MEGABYTE;
    format!(
        "<tr><th scope=\"row\">{}</th><td>{included}</td><td>{megabytes} MB</td><td>{}</td><td>{}</td></tr>\n",
        plan.plan, plan.pages, plan.burst
    )
}
