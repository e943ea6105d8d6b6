//! Games that others played and recorded, and armies that people placed.

use domain::{
    BattleOutcome, ByColor, Color, EndReason, Game, IllegalMove, Outcome, PlayError, Ruleset,
    Setup, Viewpoint,
};
use serde_json::Value;

use crate::support::{T0, Table, fixture};

fn text<'v>(game: &'v Value, key: &str) -> &'v str {
    game[key]
        .as_str()
        .unwrap_or_else(|| panic!("{key}: {game}"))
}

fn color(name: &str) -> Color {
    name.parse().expect("a side")
}

/// Some of the recorded refusals write the tenth column as the one after it.
fn squares(mv: &str) -> String {
    mv.replace('k', "j")
}

fn replay(recorded: &Value) {
    let id = text(recorded, "id");
    let ruleset: Ruleset = text(recorded, "ruleset").parse().expect("a ruleset");
    let setup = |key| Setup::parse(ruleset, text(recorded, key)).expect(id);
    let setups = ByColor {
        red: setup("red_setup"),
        blue: setup("blue_setup"),
    };
    let mut table = Table::new(ruleset, ruleset.default_options(), setups);
    for mv in recorded["moves"].as_array().expect("moves") {
        let mv = mv.as_str().expect("a move");
        assert!(table.legal().contains(&mv.replace('x', "-")), "{id}: {mv}");
        table.play(mv);
    }
    if let Some(next) = recorded["illegal_next"].as_object() {
        let mv = squares(next["move"].as_str().expect("a move"));
        assert_eq!(next["reason"], "more_squares", "{id}");
        assert_eq!(next["ply"], table.game.ply(), "{id}");
        assert_eq!(table.game.turn(), next["player"].as_str().map(color));
        let refused = PlayError::IllegalMove(IllegalMove::MoreSquares);
        assert_eq!(table.refusal(&mv), refused, "{id}");
        assert!(!table.legal().contains(&mv.replace('x', "-")), "{id}");
    }
    let captor = recorded["flag_captured_by"].as_str().map(color);
    let ended = captor.map(|winner| Outcome::win(winner, EndReason::FlagCaptured));
    assert_eq!(table.game.outcome(), ended, "{id}");
    if ended.is_none() {
        table.does(Color::Red, domain::Command::Resign);
    }
    compare_battles(recorded, &table.game);
    let folded = Game::fold(*table.game.terms(), T0, table.events.iter().copied()).expect(id);
    assert_eq!(
        crate::properties::snapshot(&folded),
        crate::properties::snapshot(&table.game),
        "{id}"
    );
}

fn compare_battles(recorded: &Value, game: &Game) {
    let view = game
        .view(None, Viewpoint::Omniscient)
        .expect("the game is over");
    let seen: Vec<(u32, String, String, &str)> = view
        .battles()
        .iter()
        .map(|battle| {
            let attack = battle.attack;
            let winner = match attack.outcome {
                BattleOutcome::AttackerWins | BattleOutcome::FlagCaptured => "attacker",
                BattleOutcome::DefenderWins => "defender",
                BattleOutcome::BothRemoved => "both",
            };
            let defender = attack.defender.expect("seen whole");
            let (attacker, defender) = (attack.attacker.to_char(), defender.to_char());
            (battle.ply - 1, attacker.into(), defender.into(), winner)
        })
        .collect();
    let told: Vec<(u32, String, String, &str)> = recorded["battles"]
        .as_array()
        .expect("battles")
        .iter()
        .map(|battle| {
            let ply = battle["ply"].as_u64().expect("a ply");
            (
                u32::try_from(ply).expect("small"),
                text(battle, "attacker").into(),
                text(battle, "defender").into(),
                match text(battle, "winner") {
                    one @ ("attacker" | "defender") => one,
                    _ => "both",
                },
            )
        })
        .collect();
    assert_eq!(seen, told, "{}", text(recorded, "id"));
}

#[test]
fn every_recorded_game_replays() {
    let Some(games) = fixture("recorded_games.jsonl") else {
        return;
    };
    let mut count = 0;
    for line in games.lines() {
        replay(&serde_json::from_str(line).expect("a line of JSON"));
        count += 1;
    }
    assert!(count >= 140, "{count}");
}

#[test]
fn every_placed_army_is_accepted() {
    for (ruleset, file) in [
        (Ruleset::Original, "setups_original.txt"),
        (Ruleset::Barrage, "setups_barrage.txt"),
    ] {
        let Some(setups) = fixture(file) else { return };
        let mut count = 0;
        for (number, line) in (1..).zip(setups.lines()) {
            let setup = Setup::parse(ruleset, line)
                .unwrap_or_else(|faults| panic!("{file}:{number}: {faults}"));
            assert_eq!(setup.to_string(), line);
            count += 1;
        }
        assert!(count > 1_000, "{file}: {count}");
    }
}
