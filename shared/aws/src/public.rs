//! Work without an account: its counters, an item a name and minute, and the service's own documents.

use async_trait::async_trait;
use aws_sdk_s3::primitives::ByteStream;
use domain::id::{AccountId, SourceKey};
use domain::ports::PortError;
use domain::ports::public::{CountPublicWork, PutSources};
use domain::source::upload_object;
use domain::timestamp::Timestamp;

use crate::error::{Failure, failed};
use crate::item::{EXPIRES, number};
use crate::keys;
use crate::services::Services;
use crate::table::held;

/// The object store, in failures.
const OBJECTS: &str = "s3";

/// Seconds of a minute.
const MINUTE: i64 = 60;

/// How long a counter is kept, in seconds: longer than any clock is wrong.
const KEPT: i64 = 600;

#[async_trait]
impl CountPublicWork for Services {
    async fn count_public(&self, name: &str, most: u32, now: Timestamp) -> Result<bool, PortError> {
        let minute = now.seconds().div_euclid(MINUTE);
        let answer = self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(keys::public_counter(name, minute).attributes()))
            .update_expression(
                "SET #counted = if_not_exists(#counted, :none) + :one, #expires = :expires",
            )
            .condition_expression("attribute_not_exists(#counted) OR #counted < :most")
            .expression_attribute_names("#counted", "counted")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":none", number(0))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":most", number(most))
            .expression_attribute_values(":expires", number(now.seconds() + KEPT))
            .send()
            .await;
        held(answer).map_err(Failure::into_error)
    }
}

#[async_trait]
impl PutSources for Services {
    async fn put_source(
        &self,
        account: &AccountId,
        source: &SourceKey,
        content_type: &str,
        bytes: &[u8],
    ) -> Result<(), PortError> {
        let put = self
            .objects()
            .put_object()
            .bucket(self.bucket()?)
            .key(upload_object(account, source))
            .content_type(content_type)
            .body(ByteStream::from(bytes.to_vec()))
            .send()
            .await;
        put.map(drop).map_err(|error| failed(OBJECTS, &error))
    }
}
