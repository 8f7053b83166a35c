//! Where the document of a form is, what it is called, and what it is.

use domain::filename::Filename;
use domain::format::Format;
use domain::source::SourceUrl;
use domain::submit::RequestedSource;
use fetch::Policy;
use runtime::refusal::{Refusal, format_at};

/// What a form is about.
pub(crate) struct Source {
    /// Where it is.
    pub(crate) source: RequestedSource,
    /// The member that says so.
    pub(crate) member: &'static str,
    /// Its name.
    pub(crate) filename: Filename,
    /// What it is, where its type does not have to tell.
    pub(crate) format: Option<Format>,
}

/// What a request says about its document.
pub(crate) struct Stated {
    /// An upload; either this or `url`.
    pub(crate) source_key: Option<String>,
    /// A public address.
    pub(crate) url: Option<SourceUrl>,
    /// Its name.
    pub(crate) filename: Option<Filename>,
    /// Its format.
    pub(crate) input_format: Option<String>,
}

impl Source {
    /// Judges what is stated; a URL is judged by `guard`. The contract lets exactly one of the two through.
    pub(crate) fn read(guard: &Policy, stated: Stated) -> Result<Self, Refusal> {
        let format = stated
            .input_format
            .map(|name| format_at("$.inputFormat", &name));
        let format = format.transpose()?;
        let Some(url) = stated.url else {
            let key = stated.source_key.unwrap_or_default().parse();
            return Ok(Self {
                source: RequestedSource::Upload(
                    key.map_err(|_| Refusal::source_unavailable("$.sourceKey"))?,
                ),
                member: "sourceKey",
                filename: stated.filename.unwrap_or_else(|| named("document")),
                format,
            });
        };
        let address = admitted(guard, &url, "$.url")?;
        let filename = stated.filename.or_else(|| address.clone());
        let by_name = [&filename, &address].into_iter().find_map(format_of);
        Ok(Self {
            source: RequestedSource::Remote(url),
            member: "url",
            filename: filename.unwrap_or_else(|| named("document")),
            format: format.or(by_name),
        })
    }
}

/// Judges a URL by its text; what a file there is called by its address.
pub(crate) fn admitted(
    guard: &Policy,
    url: &SourceUrl,
    path: &str,
) -> Result<Option<Filename>, Refusal> {
    let remote = guard.admit(url.reveal());
    Ok(remote.map_err(|_| Refusal::url_blocked(path))?.filename())
}

/// A name of ours.
pub(crate) fn named(name: &str) -> Filename {
    let filename = Filename::try_from(name.to_owned());
    filename.unwrap_or_else(|_| unreachable!("{name} names a file"))
}

fn format_of(filename: &Option<Filename>) -> Option<Format> {
    Format::from_extension(&filename.as_ref()?.extension()?)
}
