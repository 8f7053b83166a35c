//! The public pages: what Octavo does, a conversion to try, formats, plans, and the API guide.

use bytes::Bytes;
use contract::BASE_PATH;
use contract::formats::{ConversionEntry, Formats};
use domain::format::Format;
use domain::key::Pepper;
use domain::plan::{PLANS, PlanLimits, Unit};
use domain::sandbox_token;
use pulldown_cmark::{Options, Parser, html};
use runtime::api::Page;

const INDEX: &str = include_str!("../page/index.html");
const GUIDE: &str = include_str!("../page/guide.html");
const GUIDE_TEXT: &str = include_str!("../../../docs/api.md");

/// The pages, but for the token that the first one carries.
pub(crate) struct Pages {
    index: String,
    guide: Bytes,
}

impl Pages {
    /// The pages as the tables are.
    pub(crate) fn of_tables() -> Self {
        let formats = Formats::of_tables();
        let index = INDEX
            .replace("{{sandbox-formats}}", &sandbox_formats(&formats))
            .replace("{{conversions}}", &conversions(&formats))
            .replace("{{operations}}", &operations(&formats))
            .replace("{{plans}}", &PLANS.iter().map(plan).collect::<String>())
            .replace("{{base-path}}", BASE_PATH);
        Self {
            index,
            guide: GUIDE.replace("{{guide}}", &guide()).into(),
        }
    }

    /// The first page, with a token of its own.
    pub(crate) fn index(&self, pepper: &Pepper) -> Page {
        let token = sandbox_token::mint(pepper, runtime::clock::now());
        Page {
            content_type: "text/html; charset=utf-8",
            body: self.index.replace("{{sandbox-token}}", &token).into(),
            is_public: false,
        }
    }

    /// The API guide.
    pub(crate) fn guide(&self) -> Page {
        Page {
            content_type: "text/html; charset=utf-8",
            body: self.guide.clone(),
            is_public: true,
        }
    }
}

/// The style of all pages.
pub(crate) fn style() -> Page {
    file("text/css; charset=utf-8", include_str!("../page/site.css"))
}

/// The program of the first page.
pub(crate) fn script() -> Page {
    let text = include_str!("../page/site.js");
    file("text/javascript; charset=utf-8", text)
}

/// The icon of all pages.
pub(crate) fn icon() -> Page {
    file("image/svg+xml", include_str!("../page/icon.svg"))
}

fn file(content_type: &'static str, text: &'static str) -> Page {
    Page {
        content_type,
        body: Bytes::from_static(text.as_bytes()),
        is_public: true,
    }
}

/// What the sample of the sandbox can be converted to.
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

fn guide() -> String {
    let mut page = String::new();
    html::push_html(
        &mut page,
        Parser::new_ext(GUIDE_TEXT, Options::ENABLE_TABLES),
    );
    page
}
