//! Source document of a request: location, filename and format.

use domain::filename::Filename;
use domain::format::Format;
use domain::source::SourceUrl;
use domain::submit::RequestedSource;
use fetch::Policy;
use runtime::error::{ApiError, input_format};

/// The validated source document.
pub(crate) struct Source {
    /// The upload or URL.
    pub(crate) source: RequestedSource,
    /// The member of the request that contains it.
    pub(crate) member: &'static str,
    /// The filename.
    pub(crate) filename: Filename,
    /// The format, unless it is inferred from the content type.
    pub(crate) format: Option<Format>,
}

/// The source document as declared in the request.
pub(crate) struct DeclaredSource {
    /// The key of an upload; either this or `url`.
    pub(crate) source_key: Option<String>,
    /// A public URL.
    pub(crate) url: Option<SourceUrl>,
    /// The filename.
    pub(crate) filename: Option<Filename>,
    /// The format.
    pub(crate) input_format: Option<String>,
}

impl Source {
    /// Validates the declared source; `guard` checks its URL. The contract guarantees exactly one of `source_key` and `url`.
    pub(crate) fn read(guard: &Policy, declared: DeclaredSource) -> Result<Self, ApiError> {
        let format = declared.input_format.map(|name| input_format(&name));
        let format = format.transpose()?;
        let Some(url) = declared.url else {
            let key = declared.source_key.unwrap_or_default().parse();
            return Ok(Self {
                source: RequestedSource::Upload(
                    key.map_err(|_| ApiError::source_unavailable("$.sourceKey"))?,
                ),
                member: "sourceKey",
                filename: declared.filename.unwrap_or_else(|| named("document")),
                format,
            });
        };
        let url_filename = check_url(guard, &url, "$.url")?;
        let filename = declared.filename.or_else(|| url_filename.clone());
        let by_name = [&filename, &url_filename].into_iter().find_map(format_of);
        Ok(Self {
            source: RequestedSource::Remote(url),
            member: "url",
            filename: filename.unwrap_or_else(|| named("document")),
            format: format.or(by_name),
        })
    }
}

/// Checks a URL without DNS lookups and returns the filename in its path.
pub(crate) fn check_url(
    guard: &Policy,
    url: &SourceUrl,
    path: &str,
) -> Result<Option<Filename>, ApiError> {
    let remote = guard.admit(url.reveal());
    Ok(remote.map_err(|_| ApiError::url_blocked(path))?.filename())
}

/// Returns a built-in filename.
pub(crate) fn named(name: &str) -> Filename {
    let filename = Filename::try_from(name.to_owned());
    filename.unwrap_or_else(|_| unreachable!("{name} is a valid filename"))
}

fn format_of(filename: &Option<Filename>) -> Option<Format> {
    Format::from_extension(&filename.as_ref()?.extension()?)
}
