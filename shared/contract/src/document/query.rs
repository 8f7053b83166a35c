//! Query parameters of the library routes. An empty parameter is treated as omitted.

use std::collections::HashMap;
use std::fmt::Display;

use domain::field::FieldError;
use domain::library::{Filter, tag};
use domain::timestamp::Timestamp;
use strum::VariantArray;

use crate::list::{DEFAULT_LIMIT, keep, limit, one_of};

/// Smaller numbers are Unix seconds: as milliseconds they would be before March 1973.
const FIRST_MILLISECONDS: i64 = 100_000_000_000;

/// Query parameters of `GET /documents`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListDocuments {
    /// Text that the name must contain.
    pub q: Option<String>,
    /// Filters on the documents.
    pub filter: Filter,
    /// Pagination cursor.
    pub cursor: Option<String>,
    /// Maximum number of items, 1 to 100.
    pub limit: u32,
}

/// Query parameters of `GET /documents/search`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchDocuments {
    /// Search text.
    pub q: Option<String>,
    /// Filters on the documents.
    pub filter: Filter,
    /// Pagination cursor.
    pub cursor: Option<String>,
    /// Maximum number of items, 1 to 100.
    pub limit: u32,
}

/// Query parameters of the list of a version's pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPages {
    /// Pagination cursor.
    pub cursor: Option<String>,
    /// Maximum number of items, 1 to 100.
    pub limit: u32,
}

impl ListDocuments {
    /// Parameters to which a cursor is bound.
    pub const FILTERS: [&'static str; 6] = ["q", "type", "folderId", "groupId", "source", "status"];

    /// Parses the query parameters.
    ///
    /// # Errors
    /// Every invalid parameter.
    pub fn read(query: &HashMap<String, String>) -> Result<Self, Vec<FieldError>> {
        let mut reader = Reader::of(query);
        let filter = Filter {
            source: reader.one_of("source"),
            ..reader.common_filter()
        };
        let request = Self {
            q: reader.text("q", 120),
            filter,
            cursor: reader.cursor(),
            limit: reader.limit(),
        };
        reader.end(request)
    }
}

impl SearchDocuments {
    /// Parameters to which a cursor is bound.
    pub const FILTERS: [&'static str; 8] = [
        "q", "type", "status", "folderId", "groupId", "tags", "from", "to",
    ];

    /// Parses the query parameters.
    ///
    /// # Errors
    /// Every invalid parameter.
    pub fn read(query: &HashMap<String, String>) -> Result<Self, Vec<FieldError>> {
        let mut reader = Reader::of(query);
        let filter = Filter {
            tags: reader.tags(),
            from: reader.time("from"),
            to: reader.time("to"),
            ..reader.common_filter()
        };
        let request = Self {
            q: reader.text("q", 120),
            filter,
            cursor: reader.cursor(),
            limit: reader.limit(),
        };
        reader.end(request)
    }
}

impl ListPages {
    /// Parses the query parameters.
    ///
    /// # Errors
    /// Every invalid parameter.
    pub fn read(query: &HashMap<String, String>) -> Result<Self, Vec<FieldError>> {
        let mut reader = Reader::of(query);
        let request = Self {
            cursor: reader.cursor(),
            limit: reader.limit(),
        };
        reader.end(request)
    }
}

/// Parses parameters and collects their errors.
struct Reader<'a> {
    query: &'a HashMap<String, String>,
    errors: Vec<FieldError>,
}

impl<'a> Reader<'a> {
    fn of(query: &'a HashMap<String, String>) -> Self {
        Self {
            query,
            errors: Vec::new(),
        }
    }

    fn end<T>(self, request: T) -> Result<T, Vec<FieldError>> {
        if self.errors.is_empty() {
            Ok(request)
        } else {
            Err(self.errors)
        }
    }

    /// Returns a text parameter; an empty one is `None`.
    fn non_empty(&self, name: &str) -> Option<&'a str> {
        let text = self.query.get(name)?.as_str();
        (!text.is_empty()).then_some(text)
    }

    fn error(&mut self, name: &str, message: impl Display) {
        let error = FieldError::invalid(format!("$.{name}"), message.to_string());
        self.errors.push(error);
    }

    fn text(&mut self, name: &str, most: usize) -> Option<String> {
        let text = self.non_empty(name)?;
        if text.chars().count() > most {
            self.error(name, format!("must be at most {most} characters"));
            return None;
        }
        Some(text.to_owned())
    }

    /// Returns the cursor; an empty one is invalid.
    fn cursor(&self) -> Option<String> {
        self.query.get("cursor").cloned()
    }

    fn limit(&mut self) -> u32 {
        limit(self.query).unwrap_or_else(|error| keep(&mut self.errors, error, DEFAULT_LIMIT))
    }

    fn one_of<T: Copy + VariantArray + Into<&'static str>>(&mut self, name: &str) -> Option<T> {
        let found = one_of(self.query.get(name)?);
        found.map_err(|message| self.error(name, message)).ok()
    }

    fn common_filter(&mut self) -> Filter {
        Filter {
            content_type: self.text("type", 120),
            folder_id: self.text("folderId", 120),
            group_id: self.text("groupId", 120),
            status: self.one_of("status"),
            ..Filter::default()
        }
    }

    fn tags(&mut self) -> Vec<String> {
        let Some(text) = self.text("tags", 500) else {
            return Vec::new();
        };
        let given = text.split(',').filter(|text| !text.trim().is_empty());
        let tags: Option<Vec<String>> = given.map(tag).collect();
        tags.unwrap_or_else(|| {
            self.error(
                "tags",
                "must be tags of 1 to 50 characters, separated by commas",
            );
            Vec::new()
        })
    }

    fn time(&mut self, name: &str) -> Option<Timestamp> {
        let text = self.non_empty(name)?;
        let Ok(number) = text.parse::<i64>() else {
            self.error(name, "must be an integer: Unix milliseconds or seconds");
            return None;
        };
        let is_seconds = number.unsigned_abs() < FIRST_MILLISECONDS.unsigned_abs();
        Some(Timestamp(if is_seconds { number * 1_000 } else { number }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(pairs: &[(&str, &str)]) -> HashMap<String, String> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        pairs.iter().map(owned).collect()
    }

    fn errors<T: std::fmt::Debug>(read: Result<T, Vec<FieldError>>) -> Vec<String> {
        let paths = read.unwrap_err().into_iter().map(|error| error.path);
        paths.collect()
    }

    #[test]
    fn an_empty_query_has_no_filters() {
        let list = ListDocuments::read(&query(&[("q", ""), ("type", "")])).unwrap();
        assert_eq!((list.q, list.limit), (None, 50));
        assert!(list.filter.is_empty());
        let search = SearchDocuments::read(&query(&[("tags", " , ")])).unwrap();
        assert!(search.filter.is_empty());
    }

    #[test]
    fn every_parameter_has_its_bounds() {
        let long = |count| "x".repeat(count);
        for (name, most) in [
            ("q", 120),
            ("type", 120),
            ("folderId", 120),
            ("groupId", 120),
        ] {
            assert!(ListDocuments::read(&query(&[(name, &long(most))])).is_ok());
            let over = ListDocuments::read(&query(&[(name, &long(most + 1))]));
            assert_eq!(errors(over), [format!("$.{name}")]);
        }
        for bad in ["web", "IMPORT", &long(81)] {
            let read = ListDocuments::read(&query(&[("source", bad)]));
            assert_eq!(errors(read), ["$.source"]);
            let read = SearchDocuments::read(&query(&[("status", bad)]));
            assert_eq!(errors(read), ["$.status"]);
        }
        let read = SearchDocuments::read(&query(&[("tags", &"a,".repeat(251))]));
        assert_eq!(errors(read), ["$.tags"]);
        for bad in ["yesterday", "1.5", "1e9", "99999999999999999999"] {
            let read = SearchDocuments::read(&query(&[("from", bad), ("to", bad)]));
            assert_eq!(errors(read), ["$.from", "$.to"], "{bad}");
        }
    }

    #[test]
    fn small_times_are_seconds() {
        let read = |text| SearchDocuments::read(&query(&[("from", text)])).unwrap();
        for (text, is) in [
            ("1795250000", 1_795_250_000_000),
            ("99999999999", 99_999_999_999_000),
            ("100000000000", 100_000_000_000),
            ("1795250000000", 1_795_250_000_000),
            ("0", 0),
        ] {
            assert_eq!(read(text).filter.from, Some(Timestamp(is)), "{text}");
        }
    }

    #[test]
    fn tags_are_normalized() {
        let read = SearchDocuments::read(&query(&[("tags", " Tax,, 2026 ,TAX")]));
        assert_eq!(read.unwrap().filter.tags, ["tax", "2026", "tax"]);
        let read = SearchDocuments::read(&query(&[("tags", &"x".repeat(51))]));
        assert_eq!(errors(read), ["$.tags"]);
    }
}
