//! Finds credentials in the environment: an engine function uses none, so a document that takes an engine over must find none.

use std::ffi::{OsStr, OsString};

/// Prefix of the variables that AWS sets, among them credentials and tokens.
const AWS: &str = "AWS_";

/// The variables that the Lambda runtime, the SSRF guard and logs need.
const NEEDED: [&str; 9] = [
    "AWS_DEFAULT_REGION",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
    "AWS_LAMBDA_FUNCTION_NAME",
    "AWS_LAMBDA_FUNCTION_VERSION",
    "AWS_LAMBDA_INITIALIZATION_TYPE",
    "AWS_LAMBDA_LOG_GROUP_NAME",
    "AWS_LAMBDA_LOG_STREAM_NAME",
    "AWS_LAMBDA_RUNTIME_API",
    "AWS_REGION",
];

/// Whether the environment has variables of AWS that this process does not need.
pub(crate) fn has_credentials() -> bool {
    unneeded().next().is_some()
}

/// The names of the variables of AWS that this process does not need.
///
/// Removing them from a running process is not enough: `/proc/PID/environ`, which processes of the same user may read, shows
/// the environment with which the program was executed.
pub(crate) fn unneeded() -> impl Iterator<Item = OsString> {
    let names = std::env::vars_os().map(|(name, _)| name);
    names.filter(|name| is_unneeded(name))
}

fn is_unneeded(name: &OsStr) -> bool {
    let is_aws = name.as_encoded_bytes().starts_with(AWS.as_bytes());
    is_aws && NEEDED.iter().all(|needed| name != OsStr::new(needed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_of_aws_but_what_the_runtime_needs_is_unneeded() {
        for name in [
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_SESSION_TOKEN",
            "AWS_LAMBDA_METADATA_TOKEN",
            "AWS_LAMBDA_METADATA_API",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
            "AWS_ENDPOINT_URL",
        ] {
            assert!(is_unneeded(OsStr::new(name)), "{name}");
        }
        for name in [
            "AWS_LAMBDA_RUNTIME_API",
            "LOG_LEVEL",
            "TMPDIR",
            "MY_AWS_KEY",
        ] {
            assert!(!is_unneeded(OsStr::new(name)), "{name}");
        }
    }
}
