//! The time as a fairy is told it.

use time::OffsetDateTime;

/// `2026-11-15 09:30 UTC`, to the minute; a time that no calendar has is told as the beginning of 1970.
pub fn utc(now_ms: i64) -> String {
    let at = OffsetDateTime::from_unix_timestamp(now_ms.div_euclid(1000));
    let at = at.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (year, month, day) = at.to_calendar_date();
    format!(
        "{year:04}-{:02}-{day:02} {:02}:{:02} UTC",
        u8::from(month),
        at.hour(),
        at.minute()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let told = [0, 951_782_400_000, 1_709_164_799_999, 1_794_735_000_000, -1].map(utc);
        assert_eq!(
            told,
            [
                "1970-01-01 00:00 UTC",
                "2000-02-29 00:00 UTC",
                "2024-02-28 23:59 UTC",
                "2026-11-15 09:30 UTC",
                "1969-12-31 23:59 UTC",
            ]
        );
    }
}
