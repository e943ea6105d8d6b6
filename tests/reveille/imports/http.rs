//! Imports over HTTP: taken, refused, followed and survived.

use std::io::{Cursor, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::json;
use tests::client::text;
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::imports::{PATIENCE, import, send, until};
use tests::{Client, TestServer, assert_problem, on_both, raw};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::archive::MOST_MEMORY;
use super::counted;
use super::damaged::{bombs, zipped};
use crate::lines::RED_TAKES_THE_FLAG;

fn game(seed: u64) -> GravonGame {
    GravonGame::random(&mut Dice::new(seed), 30)
}

fn a_file_is_imported_and_told_of(server: &TestServer) {
    let ann = server.register("ann");
    let done = import(&ann, "?filename=games.zip", zipped(20));
    assert_eq!(done["status"], "done");
    assert_eq!(
        [
            &done["imported"],
            &done["duplicates"],
            &done["rejected_total"]
        ],
        [20, 0, 0]
    );
    assert!(done["finished_at"].is_string());
    assert_eq!(counted(&ann), (20, 20));

    let mut bad = game(50);
    bad.moves.push(bad.immovable());
    let query = "?filename=barrage-2006.3-9.xml&pseudonymise=true";
    let done = import(&ann, query, bad.xml());
    assert_eq!(
        [
            &done["imported"],
            &done["duplicates"],
            &done["rejected_total"]
        ],
        [0, 0, 1]
    );
    let rejected = &done["rejected"][0];
    assert_eq!(rejected["file"], "barrage-2006.3-9.xml");
    assert_eq!(rejected["game"], 1);
    assert_eq!(rejected["ply"], bad.moves.len() - 1);
    assert_eq!(rejected["code"], "illegal_move");
    assert!(rejected["detail"].is_string());

    let again = import(&ann, "?filename=games.zip", zipped(20));
    assert_eq!(
        [
            &again["imported"],
            &again["duplicates"],
            &again["rejected_total"]
        ],
        [0, 20, 0]
    );

    // It is its owner's alone.
    let path = format!("/v1/imports/{}", text(&again["id"]));
    let ben = server.register("ben");
    assert_problem(&ben.get(&path), 404, "not_found");
    assert_problem(&server.client().get(&path), 401, "unauthenticated");
    let same = ann
        .request("GET", &path)
        .header("if-none-match", ann.get(&path).header("etag").unwrap());
    assert_eq!(same.send().status, 304);
}

/// Of many that were not taken the first are told, and all are counted.
fn a_long_report_is_cut_short(server: &TestServer) {
    let ann = server.register("ann");
    let lines = "{}\n".repeat(1_234);
    let done = import(&ann, "?filename=x.ndjson", lines);
    assert_eq!(done["rejected_total"], 1_234);
    let told = done["rejected"].as_array().unwrap();
    assert_eq!(told.len(), 1_000);
    assert_eq!(told[999]["game"], 1_000);
}

fn what_cannot_be_taken_is_refused(server: &TestServer) {
    let ann = server.register("ann");
    let body = || game(1).xml();
    assert_problem(&send(&server.client(), "", body()), 401, "unauthenticated");
    let token = json!({"name": "reader", "scopes": ["read"]});
    let token = ann.post("/v1/me/tokens", &token).ok(201);
    let reader = ann.with_token(token["token"].as_str());
    let refused = send(&reader, "?nonsense=1", body());
    assert_problem(&refused, 403, "insufficient_scope");
    assert_eq!(refused.json()["scope"], "import");
    let nobody = "/v1/imports/018c0000-0000-7000-8000-000000000000";
    assert_problem(&reader.get(nobody), 403, "insufficient_scope");
    assert_problem(&ann.get(nobody), 404, "not_found");
    assert_problem(&ann.get("/v1/imports/x"), 400, "malformed_request");
    let long = format!("?filename={}", "x".repeat(256));
    for query in [
        "?nonsense=1",
        "?filename=",
        "?filename=a%0Ab",
        "?pseudonymise=perhaps",
        &long,
    ] {
        assert_problem(&send(&ann, query, body()), 400, "malformed_request");
    }
    assert_problem(&send(&ann, "", ""), 400, "malformed_request");
    let picture = ann
        .request("POST", "/v1/imports")
        .header("content-type", "image/png");
    assert_problem(&picture.bytes(body()).send(), 415, "unsupported_media_type");
    for kind in [
        "text/xml; charset=utf-8",
        "application/zip",
        "application/x-ndjson",
    ] {
        let import = || {
            let import = ann.request("POST", "/v1/imports");
            import.header("content-type", kind).bytes("no game").send()
        };
        // Those before it may be under way.
        until(|| Some(import()).filter(|answer| answer.status != 429)).ok(202);
    }
}

/// What the server had at most, at any time.
#[track_caller]
fn assert_memory_was_bounded(server: &TestServer) {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    let peak = peak.parse::<u64>().unwrap() << 10;
    println!("{} MiB at most", peak >> 20);
    assert!(peak < MOST_MEMORY, "{peak} bytes");
}

/// G12: as by the command; and nothing of another file is told.
fn bombs_are_refused_where_they_are_sent(server: &TestServer) {
    let ann = server.register("ann");
    let sent = |name: &str, body: Vec<u8>, code: &str| {
        let done = import(&ann, &format!("?filename={name}"), body);
        assert_eq!(done["status"], "done", "{name}");
        let counts = (&done["imported"], &done["rejected_total"]);
        assert_eq!(counts, (&json!(0), &json!(1)), "{name}");
        assert_eq!(done["rejected"][0]["code"], code, "{name}");
        assert!(!done.to_string().contains("root:"), "{done}");
    };
    for (name, body, code) in bombs() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        if code == "document_type" {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(&body).unwrap();
            let zip = zip.finish().unwrap().into_inner();
            sent("inside.zip", zip, code);
        }
        sent(name, body, code);
        ann.get("/v1/me").ok(200);
    }
    assert_memory_was_bounded(server);
    let done = import(&ann, "?filename=a.xml", game(1).xml());
    assert_eq!(done["imported"], 1);
}

/// G11: a file of many games is taken as it comes, others are answered meanwhile, and it is told of its end.
fn a_zip_of_many_games_is_imported_while_others_play(server: &TestServer) {
    let ann = server.register("ann");
    let begun = send(&ann, "?filename=games.zip", zipped(1_000)).ok(202);
    let path = format!("/v1/imports/{}", text(&begun["id"]));
    let game = RED_TAKES_THE_FLAG.play(server);
    assert_eq!(game.view(&ann)["status"], "finished");
    let done = until(|| Some(ann.get(&path).ok(200)).filter(|seen| seen["status"] != "running"));
    let counts = ["imported", "duplicates", "rejected_total"].map(|key| done[key].clone());
    assert_eq!(counts, [json!(1_000), json!(0), json!(0)]);
    assert_eq!(counted(&ann), (1_000, 1_000));
    assert_memory_was_bounded(server);
}

fn head(client: &Client, server: &TestServer, more: &str) -> String {
    format!(
        "POST /v1/imports?filename=a.xml HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
         content-type: application/octet-stream\r\n{more}\r\n\r\n",
        server.address(),
        client.token.as_deref().unwrap()
    )
}

/// By what it says of itself, and by what comes; and nothing of it is held in memory.
fn a_file_that_is_too_long_is_refused(server: &TestServer) {
    let ann = server.register("ann");
    let length = (64 << 20) + 1;
    let head_alone = head(&ann, server, &format!("content-length: {length}"));
    let answer = raw::exchange(server.address(), head_alone.as_bytes());
    assert_eq!(raw::status(&answer), Some(413), "{answer}");
    assert!(answer.contains("payload_too_large"), "{answer}");

    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let begin = head(&ann, server, "transfer-encoding: chunked");
    stream.write_all(begin.as_bytes()).unwrap();
    let part = [b"100000\r\n".as_slice(), &vec![b'x'; 1 << 20], b"\r\n"].concat();
    for _ in 0..64 {
        stream.write_all(&part).unwrap();
    }
    // What is one byte too much.
    stream.write_all(b"1\r\nx\r\n").unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
    assert_memory_was_bounded(server);
    assert_eq!(counted(&ann), (0, 0));
}

/// Begins to send a file, and does not end.
fn begin_to_send(client: &Client, server: &TestServer) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let begin = head(client, server, "content-length: 1000");
    stream.write_all(begin.as_bytes()).unwrap();
    stream.write_all(b"<stratego>").unwrap();
    stream
}

/// Each that is received has a place, two a caller, and there are so many: the next one is asked to come again.
fn too_many_at_once_are_asked_to_wait(server: &TestServer) {
    let ann = server.register("ann");
    let mut held = vec![begin_to_send(&ann, server), begin_to_send(&ann, server)];
    let refused = |who: &Client| Some(send(who, "", "no game")).filter(|it| it.status != 202);
    let too_many = until(|| refused(&ann));
    assert_problem(&too_many, 429, "rate_limited");
    assert_eq!(too_many.header("retry-after"), Some("10"));
    let late = server.register("late");
    send(&late, "", "no game").ok(202);
    for name in ["ben", "cat", "dan", "eve"] {
        let other = server.register(name);
        held.extend([(); 2].map(|()| begin_to_send(&other, server)));
    }
    let full = until(|| refused(&late).filter(|answer| answer.status == 503));
    assert_problem(&full, 503, "unavailable");
    assert_eq!(full.header("retry-after"), Some("60"));
    ann.get("/v1/me").ok(200);
    // Who goes gives his place back, and has imported nothing.
    drop(held);
    until(|| Some(send(&ann, "", game(1).xml())).filter(|answer| answer.status == 202));
    until(|| (counted(&ann) == (1, 1)).then_some(()));
}

/// With a key it is begun once, and the first is told of before anything is received again.
fn a_key_begins_one_import(server: &TestServer) {
    let ann = server.register("ann");
    let send = |who: &Client, query: &str, key: &str, body: String| {
        who.request("POST", &format!("/v1/imports{query}"))
            .header("content-type", "application/octet-stream")
            .header("idempotency-key", key)
            .bytes(body)
            .send()
    };
    let first = send(&ann, "?filename=a.xml", "k", game(1).xml());
    let id = text(&first.ok(202)["id"]);
    until(|| (counted(&ann) == (1, 1)).then_some(()));
    for body in [game(1).xml(), game(2).xml()] {
        let again = send(&ann, "?filename=a.xml", "k", body);
        assert_eq!(text(&again.ok(202)["id"]), id);
        assert_eq!(again.header("location"), first.header("location"));
    }
    let begin = head(&ann, server, "content-length: 1000\r\nidempotency-key: k");
    let answer = raw::exchange(server.address(), begin.as_bytes());
    assert!(answer.contains(&id), "{answer}");
    let other = send(&ann, "?filename=b.xml", "k", game(1).xml());
    assert_problem(&other, 422, "idempotency_key_reused");
    assert_problem(
        &send(&ann, "", " ", game(1).xml()),
        400,
        "malformed_request",
    );
    let ben = server.register("ben");
    let of_ben = send(&ben, "?filename=a.xml", "k", game(3).xml());
    assert_ne!(text(&of_ben.ok(202)["id"]), id);
    until(|| (counted(&ann) == (2, 2)).then_some(()));
    // Two at once are one.
    let both = [(); 2].map(|()| {
        let (ann, body) = (ann.clone(), game(4).xml());
        thread::spawn(move || {
            let import = ann
                .request("POST", "/v1/imports")
                .header("idempotency-key", "two");
            text(&import.bytes(body).send().ok(202)["id"])
        })
    });
    let [one, two] = both.map(|sent| sent.join().unwrap());
    assert_eq!(one, two);
}

/// What was received whole is imported, be its sender there or not.
fn a_client_that_goes_loses_nothing(server: &TestServer) {
    let ann = server.register("ann");
    let body = zipped(100);
    let begin = head(&ann, server, &format!("content-length: {}", body.len()));
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(begin.as_bytes()).unwrap();
    stream.write_all(&body).unwrap();
    stream.read_exact(&mut [0; 12]).unwrap();
    drop(stream);
    until(|| (counted(&ann) == (100, 100)).then_some(()));
    // Who goes at any other moment leaves none that waits for nobody.
    for moment in 0..20 {
        let body = game(moment).xml();
        let begin = head(&ann, server, &format!("content-length: {}", body.len()));
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(begin.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        thread::sleep(Duration::from_micros(200 * moment));
    }
    until(|| {
        let kept = ann.get("/v1/me/export").ok(200);
        let imports = kept["imports"].as_array().unwrap();
        imports
            .iter()
            .all(|it| it["status"] == "done")
            .then_some(())
    });
}

on_both! {
    bombs_are_refused_where_they_are_sent,
    a_zip_of_many_games_is_imported_while_others_play,
    a_file_is_imported_and_told_of,
    a_long_report_is_cut_short,
    what_cannot_be_taken_is_refused,
    a_file_that_is_too_long_is_refused,
    too_many_at_once_are_asked_to_wait,
    a_client_that_goes_loses_nothing,
    a_key_begins_one_import,
}
