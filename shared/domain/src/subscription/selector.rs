//! Which events a webhook hears of.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::event::EventType;

/// The text names no event and no group of events.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("names no event")]
pub struct UnknownEvent;

/// One event, all events that begin alike, or all events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Selector {
    /// `*`
    All,
    /// Everything that begins so, up to and with a dot: `job.*`.
    Group(String),
    /// One event.
    One(EventType),
}

impl Selector {
    /// Whether an event is meant.
    #[must_use]
    pub fn selects(&self, event: EventType) -> bool {
        match self {
            Self::All => true,
            Self::Group(start) => event.name().starts_with(start),
            Self::One(one) => *one == event,
        }
    }

    /// Every text that is taken, for a schema: the groups first.
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
    fn a_name_selects_itself_and_a_star_what_begins_so() {
        assert_eq!(selected("job.failed"), ["job.failed"]);
        assert_eq!(selected("document.version.*"), ["document.version.created"]);
        assert_eq!(selected("document.*").len(), 3);
        assert_eq!(selected("job.*").len(), 6);
        assert_eq!(selected("*").len(), EventType::ALL.len());
    }

    #[test]
    fn anything_else_is_unknown() {
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
    fn every_listed_name_is_taken() {
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
