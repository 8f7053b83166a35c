//! Settings from environment variables, read once at start. Errors name all invalid variables at once.

use domain::submit::Retention;

use crate::Error;
use crate::api::Issuer;

/// Reads the issuer of account tokens from `OIDC_ISSUER` and `OIDC_CLIENT_ID`.
///
/// # Errors
/// Lists the missing variables.
pub fn issuer() -> Result<Issuer, Error> {
    match (text("OIDC_ISSUER"), text("OIDC_CLIENT_ID")) {
        (Ok(url), Ok(client_id)) => Ok(Issuer { url, client_id }),
        (url, client_id) => {
            let errors: Vec<_> = [url.err(), client_id.err()].into_iter().flatten().collect();
            Err(errors.join("; ").into())
        }
    }
}

fn text(name: &str) -> Result<String, String> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty());
    text.ok_or_else(|| format!("{name} is not set"))
}

/// Reads how long jobs and results are kept from `JOB_RETENTION_DAYS` and `RESULT_RETENTION_DAYS`.
///
/// # Errors
/// Lists the variables that are missing or not a number of days from 1 to [`Retention::MAX_DAYS`].
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
            let errors: Vec<_> = [job.err(), result.err()].into_iter().flatten().collect();
            Err(errors.join("; ").into())
        }
    }
}

/// Reads the service's configured host names from `OWN_HOSTS`, a comma-separated list; empty items are skipped.
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

/// Reads a number of days from the environment variable `name`.
///
/// # Errors
/// When it is missing or not a number from 1 to [`Retention::MAX_DAYS`].
pub fn days(name: &str) -> Result<u32, String> {
    let text = std::env::var(name).map_err(|_| format!("{name} is not set"))?;
    match text.parse() {
        Ok(days @ 1..=Retention::MAX_DAYS) => Ok(days),
        _ => Err(format!(
            "{name} must be a number of days from 1 to {}",
            Retention::MAX_DAYS
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::hosts;

    #[test]
    fn own_hosts_parses_the_list_that_the_template_joins() {
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
