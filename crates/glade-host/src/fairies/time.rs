//! The time as a fairy is told it.

/// `2026-11-15 09:30 UTC`, to the minute.
pub fn utc(now_ms: i64) -> String {
    let minutes = now_ms.div_euclid(60_000);
    let (days, minute) = (minutes.div_euclid(1_440), minutes.rem_euclid(1_440));
    let (year, month, day) = civil(days);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02} UTC",
        minute / 60,
        minute % 60
    )
}

/// Year, month and day of a day since 1970-01-01, counted in eras of 400 years that begin in March,
/// so that the leap day is the last of its year.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
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
