//! What a request to process is about: a document's current version or one page of a version, which is there.

use contract::code::ErrorCode;
use domain::filename::Filename;
use domain::format::Format;
use domain::id::PageId;
use domain::job::{DocumentResult, DocumentWork, VersionSource};
use domain::library::{Document, PageOf, Processing, Version, page_number};
use domain::ports::{Library, Objects};
use domain::source::{claimed_format, version_object};
use domain::submit::RequestedSource;
use domain::work_plan::Work;
use runtime::api::Call;
use runtime::refusal::Refusal;

use crate::owned_document;

/// The format of kept content, whose type was told by its bytes: a name tells kinds of text apart, and nothing else.
fn kept_format(content_type: &str, filename: &Filename) -> Option<Format> {
    let claimed = claimed_format(None, content_type, filename);
    match Format::from_mime_type(content_type) {
        Some(Format::Txt) => claimed
            .filter(|format| format.is_plain_text())
            .or(Some(Format::Txt)),
        Some(told) => Some(told),
        None => claimed,
    }
}

/// A version that is there, or one page of it.
pub(crate) struct Subject {
    /// What the result is named after.
    pub(crate) filename: Filename,
    /// What its content is.
    pub(crate) format: Format,
    version: VersionSource,
    content_type: String,
    page: Option<PageOf>,
}

impl Subject {
    /// The current version of the caller's document that the path names.
    pub(crate) async fn document<P: Library + Objects>(
        ports: &P,
        call: &Call,
    ) -> Result<Self, Refusal> {
        let document = owned_document(ports, call).await?;
        let unusable = || {
            let detail = "the document has no current version that can be processed";
            Refusal::new(ErrorCode::NoCurrentVersion, detail)
        };
        let current = document.current_version_id.clone().ok_or_else(unusable)?;
        let format = kept_format(&document.content_type, &document.filename);
        let format = format.ok_or_else(unusable)?;
        let object = version_object(&document.account_id, &document.id, &current);
        let facts = ports.facts(&object).await?.ok_or_else(unusable)?;
        Ok(Self {
            format,
            version: VersionSource {
                document: document.id,
                version: current,
                etag: facts.etag,
                size_bytes: facts.size_bytes,
            },
            filename: document.filename,
            content_type: document.content_type,
            page: None,
        })
    }

    /// The page that the path names, of whichever version of the caller's document.
    pub(crate) async fn page<P: Library + Objects>(
        ports: &P,
        call: &Call,
    ) -> Result<Self, Refusal> {
        let document = owned_document(ports, call).await?;
        let (version, page) = page_of(ports, call, &document).await?;
        let unusable = || {
            let detail = "the page's version has no content that can be processed";
            Refusal::new(ErrorCode::PageSourceUnavailable, detail)
        };
        let format = kept_format(&version.content_type, &version.filename);
        let format = format.ok_or_else(unusable)?;
        let object = version_object(&document.account_id, &document.id, &version.id);
        let facts = ports.facts(&object).await?.ok_or_else(unusable)?;
        Ok(Self {
            format,
            version: VersionSource {
                document: document.id,
                version: version.id,
                etag: facts.etag,
                size_bytes: facts.size_bytes,
            },
            filename: version.filename,
            content_type: version.content_type,
            page: Some(page),
        })
    }

    /// What is done to it.
    pub(crate) fn work(&self, asked: &Processing) -> Result<Work, Refusal> {
        let Some(page) = self.page else {
            return Ok(asked.work());
        };
        asked.work_on_page(self.format, page).ok_or_else(|| {
            let message = "pages of this kind of document cannot be processed one by one; turn the document into PDF first";
            Refusal::of_member(ErrorCode::UnsupportedConversion, "$.operation", message)
        })
    }

    /// What the result becomes.
    pub(crate) fn document_work(&self) -> DocumentWork {
        DocumentWork {
            document: self.version.document.clone(),
            version: self.version.version.clone(),
            page: self.page.map(|page| page.number),
            result: DocumentResult::Version,
        }
    }

    /// What the job reads.
    pub(crate) fn into_source(self) -> RequestedSource {
        RequestedSource::Version {
            version: self.version,
            content_type: self.content_type,
        }
    }
}

async fn page_of<P: Library>(
    ports: &P,
    call: &Call,
    document: &Document,
) -> Result<(Version, PageOf), Refusal> {
    let unknown = || Refusal::not_found(ErrorCode::PageNotFound);
    let id: PageId = call.parameter("pageId").parse().map_err(|_| unknown())?;
    let versions = ports.versions_of_page(&document.id, &id).await?;
    let page = |version: &Version| {
        let number = page_number(&version.id, &id)?;
        let count = version.page_count.filter(|count| number <= *count)?;
        Some(PageOf { number, count })
    };
    let found = versions.into_iter().find_map(|version| {
        let page = page(&version)?;
        Some((version, page))
    });
    found.ok_or_else(unknown)
}
