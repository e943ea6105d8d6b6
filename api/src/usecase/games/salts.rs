use domain::{Event, Salts};
use rand::rand_core::TryRng;
use rand::rngs::SysRng;

use crate::problem::ApiError;

/// Draws the salts of the army that events place, if they place one. They come from the system
/// itself: whoever could guess them could try out what they hide.
pub(super) fn draw_salts(events: &[Event]) -> Result<Option<Salts>, ApiError> {
    let places = events
        .iter()
        .any(|event| matches!(event, Event::SetupPlaced { .. }));
    if !places {
        return Ok(None);
    }
    let mut bytes = [0; Salts::BYTES];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|fault| ApiError::internal(&fault))?;
    Ok(Some(Salts::from_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use domain::{Color, Ruleset, Setup, Timestamp};

    use super::*;

    #[test]
    fn salts_are_drawn_for_an_army_and_never_twice_the_same() {
        let at = Timestamp::from_micros(0);
        let text = "6527M3538B36228B74462B245622795FB43S3B2B";
        let setup = Setup::parse(Ruleset::Original, text).unwrap();
        let by = Color::Red;
        let placed = [Event::SetupPlaced { by, setup, at }, Event::Started { at }];
        let [one, other] = [draw_salts(&placed), draw_salts(&placed)].map(Result::unwrap);
        assert!(one.is_some() && one != other);
        assert_eq!(draw_salts(&placed[1..]).unwrap(), None);
    }
}
