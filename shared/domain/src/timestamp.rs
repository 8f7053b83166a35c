//! Timestamps in Unix milliseconds, and the UTC days and months of usage counters.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::{Date, Month, OffsetDateTime, UtcOffset};

/// A timestamp: Unix milliseconds, UTC.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// Returns a duration of `count` days.
#[must_use]
pub fn days(count: u32) -> Duration {
    Duration::from_secs(u64::from(count) * 24 * 3_600)
}

impl Timestamp {
    /// Returns the milliseconds since the Unix epoch.
    #[must_use]
    pub fn milliseconds(self) -> i64 {
        self.0
    }

    /// Returns the whole seconds since the Unix epoch, the format of DynamoDB's time to live.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Returns the timestamp `duration` later; saturates.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(milliseconds(duration)))
    }

    /// Returns the duration since `earlier`; zero if `earlier` is in the future.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Returns the UTC day and month of this timestamp.
    #[must_use]
    pub fn period(self) -> Period {
        Period(self.utc().date())
    }

    fn utc(self) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
            .to_offset(UtcOffset::UTC)
    }
}

impl From<SystemTime> for Timestamp {
    /// Converts the system time; times before 1970 become 0.
    fn from(clock: SystemTime) -> Self {
        Self(0).plus(clock.duration_since(UNIX_EPOCH).unwrap_or_default())
    }
}

impl fmt::Display for Timestamp {
    /// Formats the timestamp as RFC 3339 in UTC, such as `2026-11-21T08:30:00.000Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let utc = self.utc();
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            utc.year(),
            u8::from(utc.month()),
            utc.day(),
            utc.hour(),
            utc.minute(),
            utc.second(),
            utc.millisecond()
        )
    }
}

/// The accounting period of a charge: a UTC day and its month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period(Date);

impl Period {
    /// Returns the month as `2026-11`.
    #[must_use]
    pub fn month(self) -> String {
        format!("{:04}-{:02}", self.0.year(), u8::from(self.0.month()))
    }

    /// Returns the day as `2026-11-21`.
    #[must_use]
    pub fn day(self) -> String {
        format!("{}-{:02}", self.month(), self.0.day())
    }

    /// Parses the output of [`Period::day`]; `None` for any other text.
    #[must_use]
    pub fn parse(day: &str) -> Option<Self> {
        let mut parts = day.splitn(3, '-');
        let year = parts.next()?.parse().ok()?;
        let month = Month::try_from(parts.next()?.parse::<u8>().ok()?).ok()?;
        let day = parts.next()?.parse().ok()?;
        Date::from_calendar_date(year, month, day).ok().map(Self)
    }

    /// Returns midnight UTC after this day.
    #[must_use]
    pub fn next_day(self) -> Timestamp {
        start_of(self.0.next_day().unwrap_or(self.0))
    }

    /// Returns midnight UTC at the start of the next month.
    #[must_use]
    pub fn next_month(self) -> Timestamp {
        let year = self.0.year() + i32::from(self.0.month() == Month::December);
        start_of(Date::from_calendar_date(year, self.0.month().next(), 1).unwrap_or(self.0))
    }
}

fn start_of(date: Date) -> Timestamp {
    Timestamp(date.midnight().assume_utc().unix_timestamp() * 1000)
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST_MOMENT_OF_2026: Timestamp = Timestamp(1_798_761_599_999);

    #[test]
    fn writes_rfc_3339_in_utc() {
        assert_eq!(LAST_MOMENT_OF_2026.to_string(), "2026-12-31T23:59:59.999Z");
    }

    #[test]
    fn system_time_becomes_unix_milliseconds() {
        let before = UNIX_EPOCH - Duration::from_secs(1);
        let after = UNIX_EPOCH + Duration::from_micros(1_795_250_000_123_999);
        assert_eq!(Timestamp::from(before), Timestamp(0));
        assert_eq!(Timestamp::from(after), Timestamp(1_795_250_000_123));
    }

    #[test]
    fn a_period_ends_at_midnight_utc() {
        let period = LAST_MOMENT_OF_2026.period();
        assert_eq!(
            (period.day().as_str(), period.month().as_str()),
            ("2026-12-31", "2026-12")
        );
        assert_eq!(period.next_day().to_string(), "2027-01-01T00:00:00.000Z");
        assert_eq!(period.next_month().to_string(), "2027-01-01T00:00:00.000Z");
    }

    #[test]
    fn a_period_round_trips() {
        let period = LAST_MOMENT_OF_2026.period();
        assert_eq!(Period::parse(&period.day()), Some(period));
        assert_eq!(Period::parse("2026-13-01"), None);
        assert_eq!(Period::parse("2026-12"), None);
    }
}
