//! Rate limit for anonymous requests: per source address and in total, each per minute.

use contract::code::ErrorCode;
use contract::route::Header;
use domain::key::Pepper;
use domain::ports::Usage;
use domain::public::rate_limit_key;
use domain::timestamp::Timestamp;
use runtime::api::Request;
use runtime::error::ApiError;

/// Requests per minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnonymousRateLimit {
    /// Limit for one source address.
    pub per_address: u32,
    /// Limit for all addresses together.
    pub total: u32,
}

impl AnonymousRateLimit {
    /// Reads `PUBLIC_RENDER_PER_MINUTE` and `PUBLIC_RENDER_PER_MINUTE_IN_ALL`.
    ///
    /// # Errors
    /// Lists the variables that are missing or not a positive integer.
    pub fn from_environment() -> Result<Self, String> {
        let per_address = number("PUBLIC_RENDER_PER_MINUTE");
        let total = number("PUBLIC_RENDER_PER_MINUTE_IN_ALL");
        match (per_address, total) {
            (Ok(per_address), Ok(total)) => Ok(Self { per_address, total }),
            (per_address, total) => {
                let errors: Vec<_> = [per_address.err(), total.err()]
                    .into_iter()
                    .flatten()
                    .collect();
                Err(errors.join("; "))
            }
        }
    }

    /// Counts a request. Each `purpose` has its own limits. Addresses are stored only as HMACs under the pepper, and for
    /// minutes only.
    ///
    /// # Errors
    /// 429 when the limit of the address or the total limit is exceeded.
    pub(crate) async fn check<P: Usage>(
        &self,
        ports: &P,
        pepper: &Pepper,
        purpose: &str,
        request: &Request,
    ) -> Result<(), ApiError> {
        let address = rate_limit_key(request.source_address());
        let address = pepper.sign(&["public-work", purpose, &address]);
        for (policy, name, maximum) in [
            ("address", address.as_str(), self.per_address),
            ("all", purpose, self.total),
        ] {
            if !ports.count_anonymous(name, maximum, request.now).await? {
                return Err(rate_limit_exceeded(policy, maximum, request.now));
            }
        }
        Ok(())
    }
}

fn number(name: &str) -> Result<u32, String> {
    let text = std::env::var(name).map_err(|_| format!("{name} is not set"))?;
    match text.parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err(format!("{name} must be a positive integer")),
    }
}

/// Creates the error with the headers of the exceeded `policy` [IETF draft-ietf-httpapi-ratelimit-headers].
fn rate_limit_exceeded(policy: &str, maximum: u32, now: Timestamp) -> ApiError {
    let rest = 60 - now.seconds().rem_euclid(60);
    let detail = format!(
        "The rate limit for anonymous requests is exceeded: {maximum} per minute. Retry in {rest} seconds."
    );
    ApiError::new(ErrorCode::RateLimited, detail)
        .with_header(Header::RetryAfter, rest.to_string())
        .with_header(
            Header::RateLimitPolicy,
            format!("\"{policy}\";q={maximum};w=60"),
        )
        .with_header(Header::RateLimit, format!("\"{policy}\";r=0;t={rest}"))
}
