//! Fills the library of saved documents directly, without fetching.

use std::time::{Duration, SystemTime};

use aws::Services;
use domain::account::{Caller, Credential};
use domain::filename::Filename;
use domain::id::{AccountId, DocumentId, VersionId};
use domain::library::{
    Document, DocumentSource, DocumentStatus, Import, ImportStart, ROOT_FOLDER, SHARDS, Version,
    Words,
};
use domain::plan::Plan;
use domain::ports::{ImportStarted, Library, Objects, PendingCleanup};
use domain::source::version_object;
use domain::timestamp::Timestamp;

use crate::documents;
use crate::stack::services;

/// Library of an account, filled through the port that imports use.
pub struct LibraryFixture {
    pub services: Services,
    pub account: AccountId,
    next: Timestamp,
}

impl LibraryFixture {
    /// Opens the library of an account.
    pub async fn open(account: &str) -> Self {
        Self {
            services: services().await,
            account: account.parse().unwrap(),
            // In the past, so that imports during the test are newer.
            next: Timestamp::from(SystemTime::now() - Duration::from_secs(1_200)),
        }
    }

    /// Adds a document with this name, newer than all before.
    pub async fn add(&mut self, filename: &str) -> DocumentId {
        self.add_with(filename, |_| ()).await
    }

    /// Adds a document with a record of 5 KB, so that 220 records exceed what one query of DynamoDB returns (1 MB).
    pub async fn add_large_record(&mut self, filename: &str) -> DocumentId {
        let tag = "x".repeat(5_000);
        self.add_with(filename, |document| document.tags = vec![tag])
            .await
    }

    /// Adds a document with this recognized text.
    pub async fn add_with_text(&mut self, filename: &str, text: &str) -> DocumentId {
        let document = self.add(filename).await;
        let words = Words::of(text);
        let indexed = self.services.index_words(&self.account, &document, &words);
        assert!(indexed.await.unwrap());
        document
    }

    /// As [`LibraryFixture::add`], with the record modified by `change`.
    pub async fn add_with(
        &mut self,
        filename: &str,
        change: impl FnOnce(&mut Document),
    ) -> DocumentId {
        let import = self.start_import(Plan::Business, Import::LEASE).await;
        let (mut document, version) = records(&import, filename);
        change(&mut document);
        let finished = self
            .services
            .finish_import(&import, &document, &version, None);
        assert!(finished.await.unwrap());
        import.document_id
    }

    /// Adds a PDF with content of `pages` pages, though its record has 250; returns `(document, version)`.
    pub async fn add_pdf(&mut self, filename: &str, pages: usize) -> (DocumentId, VersionId) {
        let mut current = None;
        let record_version_id = |document: &mut Document| {
            current.clone_from(&document.current_version_id);
        };
        let document = self.add_with(filename, record_version_id).await;
        let version = current.unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), documents::pdf(pages, 200, 100)).unwrap();
        let object = version_object(&self.account, &document, &version);
        let stored = self.services.store(file.path(), &object, "application/pdf");
        stored.await.unwrap();
        (document, version)
    }

    /// Starts an import whose lease ends after `lease`.
    pub async fn start_import(&mut self, plan: Plan, lease: Duration) -> Import {
        self.next = self.next.plus(Duration::from_millis(1));
        let caller = Caller {
            account_id: self.account.clone(),
            credential: Credential::Token,
            plan,
            locale: None,
            scopes: Vec::new(),
        };
        let mut import = Import::begin(&caller, None, 30, self.next, rand::random());
        // The import starts in the past, but `sweep` must not abandon it yet.
        import.lease_until = Timestamp::from(SystemTime::now()).plus(lease);
        let start = ImportStart {
            import: import.clone(),
            plan,
            body_hash: String::new(),
        };
        let started = self.services.start_import(&start).await.unwrap();
        assert_eq!(started, ImportStarted::New);
        import
    }

    /// Counts the documents with pending cleanup for `sweep`, due within half a minute.
    pub async fn pending_cleanup_count(&self, documents: &[&DocumentId]) -> usize {
        let soon = Timestamp::from(SystemTime::now()).plus(Duration::from_secs(30));
        let mut found = 0;
        for shard in 0..SHARDS {
            let page = self
                .services
                .pending_cleanups(shard, soon, None, 1_000)
                .await
                .unwrap();
            let is_pending = |cleanup: &&PendingCleanup| match cleanup {
                PendingCleanup::Import(import) => documents.contains(&&import.document_id),
                PendingCleanup::Removal(removal) => documents.contains(&&removal.document_id),
                PendingCleanup::Draft(draft) => documents.contains(&&draft.document_id),
            };
            found += page.pending_cleanups.iter().filter(is_pending).count();
        }
        found
    }
}

fn records(import: &Import, filename: &str) -> (Document, Version) {
    let filename = Filename::try_from(filename.to_owned()).unwrap();
    let version = Version {
        record_version: Version::RECORD_VERSION,
        id: import.version_id.clone(),
        document_id: import.document_id.clone(),
        account_id: import.account_id.clone(),
        number: 1,
        filename: filename.clone(),
        content_type: "application/pdf".to_owned(),
        size_bytes: 1,
        sha256: "00".repeat(32),
        etag: "\"0\"".to_owned(),
        page_count: Some(250),
        page_sizes: Vec::new(),
        source: DocumentSource::App,
        job_id: None,
        operation: None,
        parent_version_id: None,
        created_at: import.created_at,
    };
    let document = Document {
        record_version: Document::RECORD_VERSION,
        id: import.document_id.clone(),
        account_id: import.account_id.clone(),
        filename,
        content_type: version.content_type.clone(),
        size_bytes: version.size_bytes,
        folder_id: ROOT_FOLDER.to_owned(),
        group_id: None,
        current_version_id: Some(version.id.clone()),
        version_count: 1,
        source: version.source,
        status: DocumentStatus::Ready,
        tags: Vec::new(),
        ocr_indexed: false,
        revision: 1,
        created_at: import.created_at,
        updated_at: import.created_at,
    };
    (document, version)
}
