//! How much may be asked for without an account: so much a minute from one address, and so much from all together.

use contract::code::ErrorCode;
use contract::route::Header;
use domain::key::Pepper;
use domain::ports::Usage;
use domain::public::counted_as;
use domain::timestamp::Timestamp;
use runtime::api::Call;
use runtime::refusal::Refusal;

/// How much may be asked for in one minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// From one address.
    pub per_address: u32,
    /// From all addresses together.
    pub in_all: u32,
}

impl Budget {
    /// `PUBLIC_RENDER_PER_MINUTE` and `PUBLIC_RENDER_PER_MINUTE_IN_ALL`.
    ///
    /// # Errors
    /// Names every variable that is missing or no number from 1 on.
    pub fn from_environment() -> Result<Self, String> {
        let per_address = number("PUBLIC_RENDER_PER_MINUTE");
        let in_all = number("PUBLIC_RENDER_PER_MINUTE_IN_ALL");
        match (per_address, in_all) {
            (Ok(per_address), Ok(in_all)) => Ok(Self {
                per_address,
                in_all,
            }),
            (one, other) => {
                let faults: Vec<_> = [one.err(), other.err()].into_iter().flatten().collect();
                Err(faults.join("; "))
            }
        }
    }

    /// Counts a request for `purpose`, which has a budget of its own. Addresses are kept as what the pepper makes of them,
    /// and for minutes only.
    ///
    /// # Errors
    /// The budget of the address, or that of all, is spent for this minute.
    pub(crate) async fn spend<P: Usage>(
        &self,
        ports: &P,
        pepper: &Pepper,
        purpose: &str,
        call: &Call,
    ) -> Result<(), Refusal> {
        let address = counted_as(call.source_address());
        let address = pepper.sign(&["public-work", purpose, &address]);
        for (policy, name, most) in [
            ("address", address.as_str(), self.per_address),
            ("all", purpose, self.in_all),
        ] {
            if !ports.count_public(name, most, call.now).await? {
                return Err(spent(policy, most, call.now));
            }
        }
        Ok(())
    }
}

fn number(name: &str) -> Result<u32, String> {
    let text = std::env::var(name).map_err(|_| format!("{name} is not set"))?;
    match text.parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err(format!("{name} must be a number from 1 on")),
    }
}

/// The refusal of what is over the budget that `policy` names [IETF draft-ietf-httpapi-ratelimit-headers].
fn spent(policy: &str, most: u32, now: Timestamp) -> Refusal {
    let rest = 60 - now.seconds().rem_euclid(60);
    let detail = "this is open to anybody and so many times a minute; try again in the next one";
    Refusal::new(ErrorCode::RateLimited, detail)
        .with(Header::RetryAfter, rest.to_string())
        .with(
            Header::RateLimitPolicy,
            format!("\"{policy}\";q={most};w=60"),
        )
        .with(Header::RateLimit, format!("\"{policy}\";r=0;t={rest}"))
}
