//! The content of versions, and drafts of them.

use std::path::Path;

use async_trait::async_trait;
use domain::library::Draft;
use domain::ports::library::{DraftVersions, KeepContent};
use domain::ports::{PortError, SourceFacts};

use crate::fakes::{Call, Fakes, documents, unavailable};

#[async_trait]
impl KeepContent for Fakes {
    async fn keep(
        &self,
        path: &Path,
        object: &str,
        content_type: &str,
    ) -> Result<String, PortError> {
        self.call(Call::Store, |state| {
            let body = std::fs::read(path).map_err(|error| unavailable(error.to_string()))?;
            let directory = self.directory();
            Ok(documents::put(
                state,
                directory,
                object,
                content_type,
                &body,
            ))
        })
        .await
    }

    async fn copy(&self, from: &str, to: &str) -> Result<Option<String>, PortError> {
        self.call(Call::Copy, |state| {
            let Some((content_type, body)) = documents::read(state, from) else {
                return Ok(None);
            };
            let etag = documents::put(state, self.directory(), to, &content_type, &body);
            Ok(Some(etag))
        })
        .await
    }

    async fn facts(&self, object: &str) -> Result<Option<SourceFacts>, PortError> {
        self.call(Call::Inspect, |state| {
            Ok(state.objects.get(object).map(|object| SourceFacts {
                size_bytes: object.size_bytes,
                content_type: object.content_type.clone(),
                etag: object.etag.clone(),
            }))
        })
        .await
    }

    async fn content(&self, object: &str, most_bytes: u64) -> Result<Option<Vec<u8>>, PortError> {
        self.call(Call::Fetch, |state| {
            let found = documents::read(state, object).map(|(_, body)| body);
            Ok(found.filter(|body| body.len() as u64 <= most_bytes))
        })
        .await
    }

    async fn discard(&self, object: &str) -> Result<(), PortError> {
        self.call(Call::Discard, |state| {
            state.objects.remove(object);
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl DraftVersions for Fakes {
    async fn begin_draft(&self, draft: &Draft) -> Result<(), PortError> {
        self.call(Call::ChangeLibrary, |state| {
            let drafts = &mut state.library.drafts;
            drafts.insert(draft.version_id.clone(), draft.clone());
            Ok(())
        })
        .await
    }

    async fn drop_draft(&self, draft: &Draft) -> Result<(), PortError> {
        self.call(Call::Discard, |state| {
            if state.library.drafts.remove(&draft.version_id).is_some() {
                state.objects.remove(&draft.object());
            }
            Ok(())
        })
        .await
    }
}
