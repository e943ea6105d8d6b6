//! Durations as the answers write them.

use serde_json::Value;

use crate::client::text;

/// The whole seconds of an ISO 8601 duration of days, hours, minutes and seconds: `PT72H` is `P3D`.
pub fn seconds(duration: &Value) -> u64 {
    let (mut total, mut number) = (0, 0);
    for letter in text(duration).chars() {
        let unit = match letter {
            'D' => 86_400,
            'H' => 3_600,
            'M' => 60,
            'S' => 1,
            'P' | 'T' => 0,
            digit => {
                number = number * 10 + u64::from(digit.to_digit(10).expect("a whole number"));
                continue;
            }
        };
        total += number * unit;
        number = 0;
    }
    total
}
