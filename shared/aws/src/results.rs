//! Reading small results whole.

use async_trait::async_trait;
use aws_sdk_s3::operation::get_object::GetObjectOutput;
use domain::ports::PortError;
use domain::ports::results::ReadResults;

use crate::error::unavailable;
use crate::services::Services;

const SERVICE: &str = "s3";

#[async_trait]
impl ReadResults for Services {
    async fn read_result(&self, object: &str, most: u64) -> Result<Option<Vec<u8>>, PortError> {
        let Some(found) = self.get_object(object, None).await? else {
            return Ok(None);
        };
        match found
            .content_length()
            .and_then(|length| u64::try_from(length).ok())
        {
            Some(length) if length <= most => read(found, length).await.map(Some),
            Some(_) => Ok(None),
            None => Err(unavailable(SERVICE, "an object without length")),
        }
    }
}

async fn read(object: GetObjectOutput, length: u64) -> Result<Vec<u8>, PortError> {
    let body = object.body.collect().await;
    let bytes = body.map_err(|_| unavailable(SERVICE, "the transfer broke off"))?;
    let bytes = bytes.to_vec();
    if bytes.len() as u64 == length {
        return Ok(bytes);
    }
    let reason = format!("{} bytes of {length}", bytes.len());
    Err(unavailable(SERVICE, reason))
}
