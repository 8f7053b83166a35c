//! Selectors of the events that a webhook receives.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::event::EventType;

/// The text is not an event or a group of events.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("is not a known event or group of events")]
pub struct UnknownEvent;

/// A selector: one event, a group of events, or all events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Selector {
    /// `*`
    All,
    /// All events with a prefix that ends with a dot: `job.*`.
    Group(String),
    /// One event.
    One(EventType),
}

impl Selector {
    /// Whether the selector includes an event.
    #[must_use]
    pub fn selects(&self, event: EventType) -> bool {
        match self {
            Self::All => true,
            Self::Group(start) => event.name().starts_with(start),
            Self::One(one) => *one == event,
        }
    }

    /// Returns every accepted text, for the JSON Schema: groups first.
    #[must_use]
    pub fn names() -> Vec<String> {
        let mut names = vec!["*".to_owned()];
        for event in EventType::ALL {
            let name = event.name();
            let dots = name.char_indices().filter(|(_, letter)| *letter == '.');
            for (dot, _) in dots {
                let group = format!("{}.*", name.get(..dot).unwrap_or_default());
                if !names.contains(&group) {
                    names.push(group);
                }
            }
        }
        names.extend(EventType::ALL.iter().map(|event| event.name().to_owned()));
        names
    }
}

impl FromStr for Selector {
    type Err = UnknownEvent;

    fn from_str(text: &str) -> Result<Self, UnknownEvent> {
        if text == "*" {
            return Ok(Self::All);
        }
        match text.strip_suffix('*') {
            Some(start) if start.ends_with('.') => {
                let group = Self::Group(start.to_owned());
                let any = EventType::ALL.iter().any(|event| group.selects(*event));
                any.then_some(group).ok_or(UnknownEvent)
            }
            _ => text.parse().map(Self::One).map_err(|_| UnknownEvent),
        }
    }
}

impl TryFrom<String> for Selector {
    type Error = UnknownEvent;

    fn try_from(text: String) -> Result<Self, UnknownEvent> {
        text.parse()
    }
}

impl From<Selector> for String {
    fn from(selector: Selector) -> String {
        selector.to_string()
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Group(start) => write!(f, "{start}*"),
            Self::One(event) => write!(f, "{event}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(text: &str) -> Vec<&'static str> {
        let selector: Selector = text.parse().unwrap();
        assert_eq!(selector.to_string(), text);
        let all = EventType::ALL.iter();
        all.filter(|event| selector.selects(**event))
            .map(|event| event.name())
            .collect()
    }

    #[test]
    fn a_selector_matches_its_event_or_its_group() {
        assert_eq!(selected("job.failed"), ["job.failed"]);
        assert_eq!(selected("document.version.*"), ["document.version.created"]);
        assert_eq!(selected("document.*").len(), 3);
        assert_eq!(selected("job.*").len(), 6);
        assert_eq!(selected("*").len(), EventType::ALL.len());
    }

    #[test]
    fn unknown_selectors_are_rejected() {
        for text in [
            "",
            "job",
            "job.",
            "job*",
            "job.done",
            "JOB.CREATED",
            "**",
            "*.created",
            "jobs.*",
            ".*",
            "job.*.x",
            " job.*",
            "scan.created",
        ] {
            assert_eq!(text.parse::<Selector>(), Err(UnknownEvent), "{text:?}");
        }
    }

    #[test]
    fn every_listed_name_is_accepted() {
        let names = Selector::names();
        assert_eq!(
            names.iter().take(5).collect::<Vec<_>>(),
            [
                "*",
                "job.*",
                "document.*",
                "document.version.*",
                "webhook.*"
            ]
        );
        assert!(names.iter().all(|name| name.parse::<Selector>().is_ok()));
    }
}
