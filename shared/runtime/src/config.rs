//! Settings from the environment: read once at start, all faults told together.

use domain::submit::Retention;

use crate::Error;
use crate::api::Issuer;

/// Whose account tokens are taken: `OIDC_ISSUER` and `OIDC_CLIENT_ID`.
///
/// # Errors
/// Names every variable that is missing.
pub fn issuer() -> Result<Issuer, Error> {
    match (text("OIDC_ISSUER"), text("OIDC_CLIENT_ID")) {
        (Ok(url), Ok(client_id)) => Ok(Issuer { url, client_id }),
        (url, client_id) => {
            let faults: Vec<_> = [url.err(), client_id.err()].into_iter().flatten().collect();
            Err(faults.join("; ").into())
        }
    }
}

fn text(name: &str) -> Result<String, String> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty());
    text.ok_or_else(|| format!("{name} is not set"))
}

/// How long jobs and results are kept: `JOB_RETENTION_DAYS` and `RESULT_RETENTION_DAYS`.
///
/// # Errors
/// Names every variable that is missing or not a number of days from 1 to [`Retention::LONGEST_DAYS`].
pub fn retention() -> Result<Retention, Error> {
    match (days("JOB_RETENTION_DAYS"), days("RESULT_RETENTION_DAYS")) {
        (Ok(job_days), Ok(result_days)) if result_days > job_days => {
            Err("RESULT_RETENTION_DAYS must not be more than JOB_RETENTION_DAYS".into())
        }
        (Ok(job_days), Ok(result_days)) => Ok(Retention {
            job_days,
            result_days,
        }),
        (job, result) => {
            let faults: Vec<_> = [job.err(), result.err()].into_iter().flatten().collect();
            Err(faults.join("; ").into())
        }
    }
}

/// The names that the operator gave the service: `OWN_HOSTS`, separated by commas; empty ones are skipped.
#[must_use]
pub fn own_hosts() -> Vec<String> {
    hosts(&std::env::var("OWN_HOSTS").unwrap_or_default())
}

fn hosts(list: &str) -> Vec<String> {
    let names = list.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A number of days, from the environment variable of this name.
///
/// # Errors
/// Says that it is missing or not a number from 1 to [`Retention::LONGEST_DAYS`].
pub fn days(name: &str) -> Result<u32, String> {
    let text = std::env::var(name).map_err(|_| format!("{name} is not set"))?;
    match text.parse() {
        Ok(days @ 1..=Retention::LONGEST_DAYS) => Ok(days),
        _ => Err(format!(
            "{name} must be a number of days from 1 to {}",
            Retention::LONGEST_DAYS
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::hosts;

    #[test]
    fn own_hosts_are_listed_as_the_template_joins_them() {
        assert_eq!(hosts(""), Vec::<String>::new());
        assert_eq!(hosts(","), Vec::<String>::new());
        assert_eq!(
            hosts(",api.octavo.example, abc.execute-api.us-east-1.amazonaws.com"),
            [
                "api.octavo.example",
                "abc.execute-api.us-east-1.amazonaws.com"
            ]
        );
    }
}
