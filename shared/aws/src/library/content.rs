//! The objects of saved documents.

use std::path::Path;

use async_trait::async_trait;
use domain::ports::PortError;
use domain::ports::library::KeepContent;

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "s3";

#[async_trait]
impl KeepContent for Services {
    async fn keep(
        &self,
        path: &Path,
        object: &str,
        content_type: &str,
    ) -> Result<String, PortError> {
        let answer = self.put_file(path, object, content_type).await?;
        let untold = || unavailable(SERVICE, "an object without entity tag");
        answer.e_tag.ok_or_else(untold)
    }
}

impl Services {
    /// Removes every object whose name begins with `prefix`.
    pub(super) async fn remove_objects(&self, prefix: &str) -> Result<(), PortError> {
        loop {
            let answer = self
                .objects()
                .list_objects_v2()
                .bucket(self.bucket()?)
                .prefix(prefix)
                .send()
                .await
                .map_err(|error| failed(SERVICE, &error))?;
            for object in answer.contents() {
                let name = object.key().unwrap_or_default();
                self.objects()
                    .delete_object()
                    .bucket(self.bucket()?)
                    .key(name)
                    .send()
                    .await
                    .map_err(|error| failed(SERVICE, &error))?;
            }
            // The next list begins anew: what was on this one is gone.
            if answer.is_truncated() != Some(true) {
                return Ok(());
            }
        }
    }
}
