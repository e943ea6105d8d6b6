//! Endings by the codes of the archive.

use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::{TestServer, on_both};

use super::{import, text};

/// Whatever is taken can be read again, by itself and among all.
fn what_is_imported_can_be_read_whatever_its_ending_says(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(61);
    for code in 0..=15 {
        for winner in 1..=3 {
            let mut game = GravonGame::random(&mut dice, 9);
            while game.has_taken_the_flag() {
                game = GravonGame::random(&mut dice, 9);
            }
            (game.ending, game.winner) = (code, winner);
            let file = folder
                .path()
                .join(format!("barrage-2007.3-{code}{winner}.xml"));
            std::fs::write(file, game.xml()).unwrap();
        }
    }
    let report = import(server, &[text(folder.path())]);
    let [imported, duplicates, rejected] = report.totals;
    // Nobody resigns and nobody wins a draw: codes 0, 1 and 3 without a winner, 2 and 4 with one.
    assert_eq!((imported, duplicates, rejected), (41, 0, 7));
    let client = server.register("reader");
    for id in report.ids() {
        for rest in [
            "",
            "/replay",
            "/board.svg",
            "/timeline.svg",
            "/export?format=json",
        ] {
            let status = client.get(&format!("/v1/games/{id}{rest}")).status;
            assert_eq!(status, 200, "{id}{rest}");
        }
    }
    let all = client.get("/v1/exports?format=ndjson");
    assert_eq!((all.status, all.text().lines().count()), (200, imported));
}

on_both!(what_is_imported_can_be_read_whatever_its_ending_says);
