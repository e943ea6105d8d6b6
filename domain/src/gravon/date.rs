use std::fmt;

/// A day or a month, as the name of an archive's file tells when its game was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArchiveDate {
    /// The year.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u8,
    /// What is known of the day.
    pub span: DateSpan,
}

/// How much of a date is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DateSpan {
    /// The day, 1 to 31.
    Day(u8),
    /// The month alone.
    Month,
}

impl ArchiveDate {
    /// Reads the name of a file: `classic-2006.3-9.xml` has a month, `classic.2003.06.07.9.gsn` a day. The
    /// month 0 is December of the year before.
    pub fn of_file_name(name: &str) -> Option<Self> {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let (stem, _) = name.rsplit_once('.')?;
        let mut numbers = stem.split(['.', '-']).skip(1);
        let (year, month) = (numbers.next()?, numbers.next()?);
        let (year, month): (u16, u8) = (year.parse().ok()?, month.parse().ok()?);
        let day = numbers.next()?;
        let span = if stem.contains('-') {
            DateSpan::Month
        } else {
            DateSpan::Day(day.parse().ok()?)
        };
        Self::new(year, month, span)
    }

    fn new(year: u16, month: u8, span: DateSpan) -> Option<Self> {
        let (year, month) = match month {
            0 => (year.checked_sub(1)?, 12),
            1..=12 => (year, month),
            _ => return None,
        };
        let is_day = |day: u8| (1..=31).contains(&day);
        let is_date = (1_900..=2_200).contains(&year)
            && match span {
                DateSpan::Day(day) => is_day(day),
                DateSpan::Month => true,
            };
        is_date.then_some(Self { year, month, span })
    }

    /// The day, or the first of the month.
    pub const fn first_day(self) -> u8 {
        match self.span {
            DateSpan::Day(day) => day,
            DateSpan::Month => 1,
        }
    }
}

impl fmt::Display for ArchiveDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:04}-{:02}-{:02}",
            self.year,
            self.month,
            self.first_day()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G04: no month is the zeroth.
    #[test]
    fn file_names_tell_the_day_or_the_month() {
        for (name, date) in [
            ("classic-2006.3-9.xml", Some("2006-03-01")),
            ("classic-2005.0-12.xml", Some("2004-12-01")),
            ("archive/2008/classic-2008.0-5.xml", Some("2007-12-01")),
            ("classic.2003.06.07.9.gsn", Some("2003-06-07")),
            ("barrage-2007.11-1.xml", Some("2007-11-01")),
            ("classic-2006.13-9.xml", None),
            ("classic.2003.06.32.9.gsn", None),
            ("classic.2003.06.00.9.gsn", None),
            ("classic.xml", None),
            ("game.txt", None),
            ("", None),
        ] {
            let found = ArchiveDate::of_file_name(name).map(|date| date.to_string());
            assert_eq!(found.as_deref(), date, "{name}");
        }
    }
}
