//! Work without an account, and results that are read whole.

use async_trait::async_trait;
use domain::id::{AccountId, SourceKey};
use domain::ports::PortError;
use domain::ports::public::{CountPublicWork, PutSources};
use domain::ports::results::ReadResults;
use domain::source::upload_object;
use domain::timestamp::Timestamp;

use super::{Call, Fakes, documents};

#[async_trait]
impl CountPublicWork for Fakes {
    async fn count_public(&self, name: &str, most: u32, now: Timestamp) -> Result<bool, PortError> {
        let minute = (format!("public {name}"), now.seconds().div_euclid(60));
        self.call(Call::Admit, |state| {
            let counted = state.bursts.entry(minute).or_default();
            let fits = *counted < most;
            *counted += u32::from(fits);
            Ok(fits)
        })
        .await
    }
}

#[async_trait]
impl PutSources for Fakes {
    async fn put_source(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        bytes: &[u8],
    ) -> Result<(), PortError> {
        let name = upload_object(account, source);
        self.call(Call::Store, |state| {
            documents::put(state, self.directory(), &name, content_type, bytes);
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl ReadResults for Fakes {
    async fn read_result(&self, object: &str, most: u64) -> Result<Option<Vec<u8>>, PortError> {
        self.call(Call::Fetch, |state| {
            let found = documents::read(state, object).map(|(_, bytes)| bytes);
            Ok(found.filter(|bytes| bytes.len() as u64 <= most))
        })
        .await
    }
}
