//! A library that is filled without fetching anything.

use std::time::{Duration, SystemTime};

use aws::{Connection, Credentials, Names, Services};
use domain::account::{Caller, Credential};
use domain::filename::Filename;
use domain::id::{AccountId, DocumentId, VersionId};
use domain::library::{
    Document, DocumentSource, DocumentStatus, Import, ImportStart, ROOT_FOLDER, SHARDS, Version,
    Words,
};
use domain::plan::Plan;
use domain::ports::{Chore, ImportBegun, Library, Objects};
use domain::source::version_object;
use domain::timestamp::Timestamp;

use crate::documents;
use crate::stack::stack;

/// A library that is filled without fetching anything, by the port that imports use.
pub struct Shelf {
    pub services: Services,
    pub account: AccountId,
    next: Timestamp,
}

impl Shelf {
    /// The library of an account.
    pub async fn of(account: &str) -> Self {
        let stack = stack();
        let connection = Connection {
            endpoint_url: Some(stack.aws.endpoint_url.clone()),
            region: Some(stack.aws.region.clone()),
            credentials: Some(Credentials {
                access_key_id: stack.aws.access_key_id.clone(),
                secret_access_key: stack.aws.secret_access_key.clone().into(),
            }),
        };
        let table = |name: &str| stack.resources.tables.get(name).cloned();
        let names = Names {
            accounts_table: table("accounts"),
            jobs_table: table("jobs"),
            documents_table: table("documents"),
            bucket: Some(stack.resources.bucket.clone()),
            ..Names::default()
        };
        Self {
            services: Services::from_names(&connection, names).await,
            account: account.parse().unwrap(),
            // In the past, so that what is imported meanwhile is newer.
            next: Timestamp::from(SystemTime::now() - Duration::from_secs(1_200)),
        }
    }

    /// Puts a document of this name on the shelf, newer than all before it.
    pub async fn put(&mut self, filename: &str) -> DocumentId {
        self.put_as(filename, |_| ()).await
    }

    /// Puts a document on the shelf whose recognised text is this.
    pub async fn put_with_words(&mut self, filename: &str, text: &str) -> DocumentId {
        let document = self.put(filename).await;
        let words = Words::of(text);
        let indexed = self.services.index_words(&self.account, &document, &words);
        assert!(indexed.await.unwrap());
        document
    }

    /// The same, with its record as `change` makes it.
    pub async fn put_as(
        &mut self,
        filename: &str,
        change: impl FnOnce(&mut Document),
    ) -> DocumentId {
        let import = self.begin(Plan::Business).await;
        let (mut document, version) = records(&import, filename);
        change(&mut document);
        let finished = self
            .services
            .finish_import(&import, &document, &version, None);
        assert!(finished.await.unwrap());
        import.document_id
    }

    /// Puts a PDF of so many pages on the shelf, with its content; its record tells of 250. `(document, its version)`.
    pub async fn put_pdf(&mut self, filename: &str, pages: usize) -> (DocumentId, VersionId) {
        let mut current = None;
        let keep_version = |document: &mut Document| {
            current.clone_from(&document.current_version_id);
        };
        let document = self.put_as(filename, keep_version).await;
        let version = current.unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), documents::pdf(pages, 200, 100)).unwrap();
        let object = version_object(&self.account, &document, &version);
        let kept = self.services.store(file.path(), &object, "application/pdf");
        kept.await.unwrap();
        (document, version)
    }

    /// Begins an import that nobody carries out; its lease ran out long ago.
    pub async fn begin(&mut self, plan: Plan) -> Import {
        self.next = self.next.plus(Duration::from_millis(1));
        let caller = Caller {
            account_id: self.account.clone(),
            credential: Credential::Token,
            plan,
            scopes: Vec::new(),
        };
        let import = Import::begin(&caller, None, 30, self.next, rand::random());
        let start = ImportStart {
            import: import.clone(),
            plan,
            body_hash: String::new(),
        };
        let begun = self.services.begin_import(&start).await.unwrap();
        assert_eq!(begun, ImportBegun::New);
        import
    }

    /// How many of these documents have something that waits for `sweep`.
    pub async fn waiting(&self, documents: &[&DocumentId]) -> usize {
        let now = Timestamp::from(SystemTime::now());
        let mut found = 0;
        for shard in 0..SHARDS {
            let page = self.services.chores(shard, now, None, 1_000).await.unwrap();
            let waits = |chore: &&Chore| match chore {
                Chore::Import(import) => documents.contains(&&import.document_id),
                Chore::Removal(removal) => documents.contains(&&removal.document_id),
                Chore::Draft(draft) => documents.contains(&&draft.document_id),
            };
            found += page.chores.iter().filter(waits).count();
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
