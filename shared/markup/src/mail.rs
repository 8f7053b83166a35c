//! Reads mails: the header, the body and the list of attachments become one HTML page. Nothing that a mail refers to is loaded.

mod attachment;
mod eml;
mod msg;
mod plain_text;
mod protection;

use std::fmt::Write as _;
use std::fs::File;

use self::attachment::Attachment;
use crate::error::{MarkupError, Result};
use crate::html_fragment::{Resolver, Rules, escaped, rewritten};
use crate::html_page::HtmlPage;
use crate::limits::Options;
use crate::source::Metadata;
use crate::warning::{Loss, Losses};

/// Reads an Internet message [RFC 5322].
pub(crate) fn eml(bytes: &[u8], options: &Options) -> Result<HtmlPage> {
    page(eml::read(bytes)?, options)
}

/// Reads an Outlook item [MS-OXMSG].
pub(crate) fn msg(file: File, options: &Options) -> Result<HtmlPage> {
    page(msg::read(file, options)?, options)
}

/// A mail as either format declares it.
#[derive(Debug, Default)]
struct Mail {
    subject: String,
    /// Other fields of the header with their names, in the order in which they are shown.
    fields: Vec<(&'static str, String)>,
    bodies: Vec<Body>,
    attachments: Vec<Attachment>,
    /// Number of parts that are damaged.
    damaged: u32,
}

/// A part of the body.
#[derive(Debug)]
enum Body {
    Html(String),
    /// Plain text as HTML.
    Text(String),
    /// The image in the attachment of this index.
    Image(usize),
}

/// Writes the page of a mail.
fn page(mut mail: Mail, options: &Options) -> Result<HtmlPage> {
    let mut losses = Losses::default();
    losses.add_many(Loss::Damaged, mail.damaged);
    let mut html = header(&mail);
    let rules = Rules {
        depth: options.limits.depth,
        keeps_styles: true,
    };
    for (number, body) in std::mem::take(&mut mail.bodies).into_iter().enumerate() {
        let mut links = Links {
            number,
            attachments: &mut mail.attachments,
        };
        let content = match body {
            Body::Html(text) => rewritten(&text, rules, &mut links, &mut losses)?,
            Body::Text(text) => text,
            Body::Image(index) => links.picture(index, &mut losses),
        };
        // Writing to a string cannot fail.
        writeln!(html, "<div class=\"mail\">\n{content}\n</div>").ok();
        check_size(&html, options)?;
    }
    html.push_str(&attachment::list(&mail.attachments));
    check_size(&html, options)?;
    let title = Some(mail.subject).filter(|subject| !subject.is_empty());
    Ok(HtmlPage {
        metadata: Metadata {
            title,
            language: None,
        },
        body: html,
        warnings: losses.all(),
    })
}

fn check_size(html: &str, options: &Options) -> Result {
    match html.len() as u64 > options.limits.page_bytes {
        true => Err(MarkupError::TooLarge(
            "the text and images of the mail are too large",
        )),
        false => Ok(()),
    }
}

fn header(mail: &Mail) -> String {
    let mut html = String::new();
    if !mail.subject.is_empty() {
        writeln!(html, "<h1>{}</h1>", escaped(&mail.subject)).ok();
    }
    let fields = mail.fields.iter();
    let fields = fields.map(|(name, value)| format!("<b>{name}:</b> {}", escaped(value)));
    let fields: Vec<String> = fields.collect();
    writeln!(html, "<p>{}</p>\n<hr>", fields.join("<br>\n")).ok();
    html
}

/// The links and images of a part of the body.
struct Links<'a> {
    /// Its number among the parts.
    number: usize,
    attachments: &'a mut [Attachment],
}

impl Links<'_> {
    /// The image of a part that is shown after the text before it.
    fn picture(&mut self, index: usize, losses: &mut Losses) -> String {
        let url = self.attachments.get_mut(index).and_then(Attachment::show);
        if url.is_none() {
            losses.add(Loss::PictureMissing);
        }
        url.map_or_else(String::new, |url| {
            format!("<p><img src=\"{url}\" alt=\"\"></p>")
        })
    }
}

impl Resolver for Links<'_> {
    fn place(&self, place: &str) -> String {
        format!("m{}-{place}", self.number)
    }

    /// A mail has no address to which a link could be relative.
    fn target(&self, _: &str) -> Option<String> {
        None
    }

    fn image(&mut self, source: &str) -> Result<Option<String>> {
        let mut attachments = self.attachments.iter_mut();
        let found = attachments.find(|attachment| attachment.is_named(source));
        Ok(found.and_then(Attachment::show))
    }
}
