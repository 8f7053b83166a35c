//! Subject of a process request: the current version of a document, or one page of a version.

use contract::code::ErrorCode;
use domain::filename::Filename;
use domain::format::Format;
use domain::id::PageId;
use domain::job::{DocumentResult, DocumentWork, VersionSource};
use domain::library::{Document, Processing, SelectedPage, Version, page_number};
use domain::ports::{Library, Objects};
use domain::source::{declared_format, version_object};
use domain::submit::RequestedSource;
use domain::work_plan::Work;
use runtime::api::Request;
use runtime::error::ApiError;

use crate::owned_document;

/// Returns the format of a stored version. Its content type was detected from the bytes; the filename only distinguishes text
/// formats.
fn stored_format(content_type: &str, filename: &Filename) -> Option<Format> {
    let declared = declared_format(None, content_type, filename);
    match Format::from_mime_type(content_type) {
        Some(Format::Txt) => declared
            .filter(|format| format.is_plain_text())
            .or(Some(Format::Txt)),
        Some(detected) => Some(detected),
        None => declared,
    }
}

/// A stored version, or one page of it.
pub(crate) struct Subject {
    /// The filename, from which that of the result is derived.
    pub(crate) filename: Filename,
    /// The format of the content.
    pub(crate) format: Format,
    version: VersionSource,
    content_type: String,
    page: Option<SelectedPage>,
}

impl Subject {
    /// Loads the current version of the document in the path.
    pub(crate) async fn document<P: Library + Objects>(
        ports: &P,
        request: &Request,
    ) -> Result<Self, ApiError> {
        let document = owned_document(ports, request).await?;
        let unusable = || {
            let detail = "The document has no current version, or its content is missing or of an unsupported type.";
            ApiError::new(ErrorCode::NoCurrentVersion, detail)
        };
        let current = document.current_version_id.clone().ok_or_else(unusable)?;
        let format = stored_format(&document.content_type, &document.filename);
        let format = format.ok_or_else(unusable)?;
        let object = version_object(&document.account_id, &document.id, &current);
        let metadata = ports.metadata(&object).await?.ok_or_else(unusable)?;
        Ok(Self {
            format,
            version: VersionSource {
                document: document.id,
                version: current,
                etag: metadata.etag,
                size_bytes: metadata.size_bytes,
            },
            filename: document.filename,
            content_type: document.content_type,
            page: None,
        })
    }

    /// Loads the page in the path, of any version of the document.
    pub(crate) async fn page<P: Library + Objects>(
        ports: &P,
        request: &Request,
    ) -> Result<Self, ApiError> {
        let document = owned_document(ports, request).await?;
        let (version, page) = page_of(ports, request, &document).await?;
        let unusable = || {
            let detail = "The content of the page's version is missing or of an unsupported type.";
            ApiError::new(ErrorCode::PageSourceUnavailable, detail)
        };
        let format = stored_format(&version.content_type, &version.filename);
        let format = format.ok_or_else(unusable)?;
        let object = version_object(&document.account_id, &document.id, &version.id);
        let metadata = ports.metadata(&object).await?.ok_or_else(unusable)?;
        Ok(Self {
            format,
            version: VersionSource {
                document: document.id,
                version: version.id,
                etag: metadata.etag,
                size_bytes: metadata.size_bytes,
            },
            filename: version.filename,
            content_type: version.content_type,
            page: Some(page),
        })
    }

    /// Returns the work plan for the document or page.
    pub(crate) fn work(&self, processing: &Processing) -> Result<Work, ApiError> {
        let Some(page) = self.page else {
            return Ok(processing.work());
        };
        processing.work_on_page(self.format, page).ok_or_else(|| {
            let message = "single pages of this format cannot be processed; convert the document to PDF first";
            ApiError::for_field(ErrorCode::UnsupportedConversion, "$.operation", message)
        })
    }

    /// Returns where the result is stored: as a new version of the document.
    pub(crate) fn document_work(&self) -> DocumentWork {
        DocumentWork {
            document: self.version.document.clone(),
            version: self.version.version.clone(),
            page: self.page.map(|page| page.number),
            result: DocumentResult::Version,
        }
    }

    /// Returns the job's source.
    pub(crate) fn into_source(self) -> RequestedSource {
        RequestedSource::Version {
            version: self.version,
            content_type: self.content_type,
        }
    }
}

async fn page_of<P: Library>(
    ports: &P,
    request: &Request,
    document: &Document,
) -> Result<(Version, SelectedPage), ApiError> {
    let unknown = || ApiError::not_found(ErrorCode::PageNotFound);
    let id: PageId = request.parameter("pageId").parse().map_err(|_| unknown())?;
    let versions = ports.versions_of_page(&document.id, &id).await?;
    let page = |version: &Version| {
        let number = page_number(&version.id, &id)?;
        let count = version.page_count.filter(|count| number <= *count)?;
        Some(SelectedPage { number, count })
    };
    let found = versions.into_iter().find_map(|version| {
        let page = page(&version)?;
        Some((version, page))
    });
    found.ok_or_else(unknown)
}
