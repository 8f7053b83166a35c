//! Downloads the document and the attachments of a run into its scratch directory.

use std::path::{Path, PathBuf};

use engine::Attachment;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use invocation::{FailedInput, Input, Interruption, RunRequest, Source};

use crate::object_store::ObjectStore;

/// Maximum number of concurrent downloads.
const DOWNLOADS: usize = 4;

/// The downloaded files of a run.
pub(crate) struct Inputs {
    /// The document; does not exist if the source is a web page.
    pub(crate) source: PathBuf,
    pub(crate) attachments: Vec<Attachment>,
}

/// Downloads all inputs, and checks sizes and known hashes.
pub(crate) async fn download(
    store: &ObjectStore,
    run: &RunRequest,
    scratch: &Path,
) -> Result<Inputs, Interruption> {
    let source = scratch.join("source");
    if let Source::File(input) = &run.source {
        let downloaded = download_one(store, input, &source).await;
        downloaded.map_err(|failure| Interruption::Input {
            attachment: None,
            failure,
        })?;
    }
    let attachments = run.attachments.iter().enumerate();
    let attachments = stream::iter(attachments).map(async |(index, attachment)| {
        let path = scratch.join(format!("attachment-{index}"));
        let downloaded = download_one(store, &attachment.file, &path).await;
        downloaded.map_err(|failure| Interruption::Input {
            attachment: Some(index),
            failure,
        })?;
        Ok(Attachment {
            step: attachment.step,
            path,
            declared_format: attachment.format,
        })
    });
    Ok(Inputs {
        source,
        attachments: attachments.buffered(DOWNLOADS).try_collect().await?,
    })
}

async fn download_one(store: &ObjectStore, input: &Input, path: &Path) -> Result<(), FailedInput> {
    store.download(input, path).await?;
    let Some(expected) = input.sha256.clone() else {
        return Ok(());
    };
    let path = path.to_owned();
    let hashed = tokio::task::spawn_blocking(move || engine::size_and_sha256(&path)).await;
    match hashed {
        Ok(Ok((_, sha256))) if sha256 == expected => Ok(()),
        Ok(Ok(_)) => Err(FailedInput::Damaged),
        Ok(Err(_)) | Err(_) => Err(FailedInput::Interrupted),
    }
}
