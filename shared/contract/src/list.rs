//! Query parameters of lists.

use std::collections::HashMap;

use domain::field::FieldError;
use domain::job::JobStatus;
use strum::VariantArray;

/// Default number of items per page.
pub const DEFAULT_LIMIT: u32 = 50;

/// Maximum number of items per page.
pub const MAX_LIMIT: u32 = 100;

/// Query parameters of `GET /jobs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListJobs {
    /// Returns only jobs with this status.
    pub status: Option<JobStatus>,
    /// Pagination cursor.
    pub cursor: Option<String>,
    /// Maximum number of items, 1 to 100.
    pub limit: u32,
}

impl ListJobs {
    /// Parses the query parameters.
    ///
    /// # Errors
    /// Every invalid parameter.
    pub fn read(query: &HashMap<String, String>) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let limit = limit(query).unwrap_or_else(|error| keep(&mut errors, error, DEFAULT_LIMIT));
        let status = status(query).unwrap_or_else(|error| keep(&mut errors, error, None));
        let request = Self {
            status,
            cursor: query.get("cursor").cloned(),
            limit,
        };
        if errors.is_empty() {
            Ok(request)
        } else {
            Err(errors)
        }
    }
}

pub(crate) fn keep<T>(errors: &mut Vec<FieldError>, error: FieldError, default: T) -> T {
    errors.push(error);
    default
}

pub(crate) fn limit(query: &HashMap<String, String>) -> Result<u32, FieldError> {
    let Some(text) = query.get("limit") else {
        return Ok(DEFAULT_LIMIT);
    };
    match text.parse() {
        Ok(limit @ 1..=MAX_LIMIT) => Ok(limit),
        _ => Err(FieldError::invalid(
            "$.limit",
            format!("must be an integer from 1 to {MAX_LIMIT}"),
        )),
    }
}

fn status(query: &HashMap<String, String>) -> Result<Option<JobStatus>, FieldError> {
    let Some(text) = query.get("status") else {
        return Ok(None);
    };
    let status = one_of(text).map_err(|message| FieldError::invalid("$.status", message));
    status.map(Some)
}

/// Returns the value of an enumeration with this name.
pub(crate) fn one_of<T: Copy + VariantArray + Into<&'static str>>(name: &str) -> Result<T, String> {
    let named = T::VARIANTS
        .iter()
        .copied()
        .find(|value| (*value).into() == name);
    named.ok_or_else(|| {
        let names: Vec<&str> = T::VARIANTS.iter().map(|value| (*value).into()).collect();
        format!("must be one of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<ListJobs, Vec<String>> {
        let query = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        ListJobs::read(&query)
            .map_err(|errors| errors.into_iter().map(|error| error.path).collect())
    }

    #[test]
    fn bounds_are_1_and_100_and_the_default_is_50() {
        assert_eq!(read(&[]).unwrap().limit, 50);
        assert_eq!(read(&[("limit", "100")]).unwrap().limit, 100);
        for bad in ["0", "101", "-1", "ten", "", "5.0"] {
            assert_eq!(
                read(&[("limit", bad)]),
                Err(vec!["$.limit".into()]),
                "{bad}"
            );
        }
    }

    #[test]
    fn every_status_is_accepted_and_all_errors_are_reported() {
        for status in JobStatus::ALL {
            assert_eq!(
                read(&[("status", status.name())]).unwrap().status,
                Some(*status)
            );
        }
        assert_eq!(
            read(&[("status", "done"), ("limit", "0")]),
            Err(vec!["$.limit".into(), "$.status".into()])
        );
    }
}
