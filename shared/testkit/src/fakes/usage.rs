//! Usage counters.

use async_trait::async_trait;
use domain::id::AccountId;
use domain::ports::{PortError, Usage};
use domain::timestamp::{Period, Timestamp};
use domain::usage::Used;

use super::{Call, Fakes};

#[async_trait]
impl Usage for Fakes {
    async fn used(&self, account: &AccountId, period: Period) -> Result<Used, PortError> {
        self.call(Call::Used, |state| Ok(state.used(account, period)))
            .await
    }

    async fn set_used(
        &self,
        id: &AccountId,
        period: Period,
        today: Option<u32>,
        this_month: Option<u32>,
    ) -> Result<(), PortError> {
        self.call(Call::Manage, |state| {
            for (name, value) in [(period.day(), today), (period.month(), this_month)] {
                if let Some(value) = value {
                    state.counters.insert((id.clone(), name), i64::from(value));
                }
            }
            Ok(())
        })
        .await
    }

    async fn count_anonymous(
        &self,
        name: &str,
        most: u32,
        now: Timestamp,
    ) -> Result<bool, PortError> {
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
