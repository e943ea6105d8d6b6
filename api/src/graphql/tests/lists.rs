use serde_json::Value;

use super::world::World;

fn uuids(list: &Value) -> Vec<String> {
    let edges = list["edges"].as_array().unwrap();
    edges
        .iter()
        .map(|edge| edge["node"]["uuid"].as_str().unwrap().to_owned())
        .collect()
}

fn strings(ids: &[storage::GameId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn every_game_comes_once_in_pages_forward_and_back() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let mut ids: Vec<_> = (0..7).map(|n| world.finished(red, blue, n)).collect();
    let running = world.running(red, blue, 3);
    ids.reverse();
    ids.push(running);
    let all = strings(&ids);
    let (mut seen, mut after) = (Vec::new(), Value::Null);
    loop {
        let query = format!(
            "{{ games(first: 3, after: {after}) {{ edges {{ cursor node {{ uuid }} }} pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }} }}"
        );
        let games = world.data(None, &query).await["games"].take();
        let info = &games["pageInfo"];
        assert_eq!(info["hasPreviousPage"], !after.is_null());
        assert_eq!(info["startCursor"], games["edges"][0]["cursor"]);
        seen.extend(uuids(&games));
        after = info["endCursor"].clone();
        if info["hasNextPage"] == false {
            break;
        }
    }
    assert_eq!(seen, all);
    let (mut seen, mut before) = (Vec::new(), Value::Null);
    loop {
        let query = format!(
            "{{ games(last: 3, before: {before}) {{ edges {{ node {{ uuid }} }} pageInfo {{ hasNextPage hasPreviousPage startCursor }} }} }}"
        );
        let games = world.data(None, &query).await["games"].take();
        let info = &games["pageInfo"];
        assert_eq!(info["hasNextPage"], !before.is_null());
        seen.splice(0..0, uuids(&games));
        before = info["startCursor"].clone();
        if info["hasPreviousPage"] == false {
            break;
        }
    }
    assert_eq!(seen, all);
}

#[tokio::test]
async fn orders_differ_and_so_do_their_cursors() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let (long, short) = (world.finished(red, blue, 9), world.finished(red, blue, 2));
    for (order, expected) in [
        ("FINISHED_DESC", [short, long]),
        ("FINISHED_ASC", [long, short]),
        ("UPDATED_DESC", [short, long]),
        ("PLIES_DESC", [long, short]),
    ] {
        let query = format!("{{ games(orderBy: {order}) {{ edges {{ node {{ uuid }} }} }} }}");
        assert_eq!(
            uuids(&world.data(None, &query).await["games"]),
            strings(&expected),
            "{order}"
        );
    }
    let first = world
        .data(None, "{ games(first: 1) { pageInfo { endCursor } } }")
        .await;
    let cursor = &first["games"]["pageInfo"]["endCursor"];
    let other =
        format!("{{ games(orderBy: PLIES_DESC, after: {cursor}) {{ edges {{ cursor }} }} }}");
    assert_eq!(world.code(None, &other).await, "malformed_request");
}

#[tokio::test]
async fn filters_leave_out_what_does_not_match() {
    let mut world = World::new();
    let (ann, bob, cid) = (
        world.player("Ann"),
        world.player("Bob"),
        world.player("Cid"),
    );
    let one = world.finished(ann, bob, 6);
    let two = world.finished(bob, cid, 3);
    let three = world.running(cid, ann, 2);
    let all = [two, one, three];
    for (filter, expected) in [
        ("{}", all.to_vec()),
        ("{players: [\"ANN\"]}", vec![one, three]),
        ("{players: [\"ann\", \"Cid\"]}", all.to_vec()),
        ("{players: [\"nobody\"]}", vec![]),
        ("{players: []}", vec![]),
        ("{status: [ACTIVE]}", vec![three]),
        ("{status: [FINISHED, ACTIVE]}", all.to_vec()),
        ("{reasons: [RESIGNATION]}", vec![two, one]),
        ("{reasons: [FLAG_CAPTURED]}", vec![]),
        ("{winner: RED}", vec![two, one]),
        ("{winner: BLUE}", vec![]),
        ("{rated: true}", vec![]),
        ("{rated: false}", all.to_vec()),
        ("{rulesets: [\"duel\", \"barrage\"]}", all.to_vec()),
        ("{rulesets: [\"barrage\"]}", vec![]),
        ("{sources: [\"play\"]}", all.to_vec()),
        ("{sources: [\"gravon\"]}", vec![]),
        ("{minPlies: 3}", vec![two, one]),
        ("{maxPlies: 3}", vec![two, three]),
        ("{minPlies: 3, maxPlies: 5}", vec![two]),
        ("{finishedTo: \"2000-01-01T00:00:00Z\"}", vec![]),
        ("{finishedFrom: \"2000-01-01T00:00:00Z\"}", vec![two, one]),
    ] {
        let query = format!("{{ games(filter: {filter}) {{ edges {{ node {{ uuid }} }} }} }}");
        assert_eq!(
            uuids(&world.data(None, &query).await["games"]),
            strings(&expected),
            "{filter}"
        );
    }
    let half_open = format!(
        "{{ games(filter: {{finishedFrom: {at}, finishedTo: {at}}}) {{ edges {{ node {{ uuid }} }} }}
            from: games(filter: {{finishedFrom: {at}}}) {{ edges {{ node {{ uuid }} }} }} }}",
        at = {
            let query = format!("{{ game(id: \"{two}\") {{ finishedAt }} }}");
            world.data(None, &query).await["game"]["finishedAt"].clone()
        }
    );
    let data = world.data(None, &half_open).await;
    assert_eq!(uuids(&data["games"]), strings(&[]));
    assert_eq!(uuids(&data["from"]), strings(&[two]));
}

#[tokio::test]
async fn the_games_of_a_player_can_be_narrowed_down() {
    let mut world = World::new();
    let (ann, bob, cid) = (
        world.player("Ann"),
        world.player("Bob"),
        world.player("Cid"),
    );
    let one = world.finished(ann, bob, 6);
    let two = world.finished(bob, cid, 3);
    let three = world.running(cid, ann, 2);
    for (filter, expected) in [
        ("{}", vec![one, three]),
        ("{players: [\"Bob\"]}", vec![one]),
        ("{players: [\"Bob\", \"Cid\"]}", vec![one, three]),
        ("{players: [\"Ann\"]}", vec![one, three]),
        ("{status: [ACTIVE]}", vec![three]),
    ] {
        let query = format!(
            "{{ player(username: \"ann\") {{ games(filter: {filter}) {{ edges {{ node {{ uuid }} }} }} }} }}"
        );
        let data = world.data(None, &query).await;
        assert_eq!(
            uuids(&data["player"]["games"]),
            strings(&expected),
            "{filter}"
        );
    }
    let bob = world
        .data(
            None,
            "{ player(username: \"BOB\") { username games { edges { node { uuid } } } } }",
        )
        .await;
    assert_eq!(bob["player"]["username"], "Bob");
    assert_eq!(uuids(&bob["player"]["games"]), strings(&[two, one]));
}

#[tokio::test]
async fn players_are_found_by_the_beginning_of_their_names() {
    let mut world = World::new();
    for name in ["Marshal", "marlin", "MARTHA", "Major"] {
        world.player(name);
    }
    let names = |list: &Value| -> Vec<String> {
        let edges = list["edges"].as_array().unwrap();
        edges
            .iter()
            .map(|edge| edge["node"]["username"].as_str().unwrap().to_owned())
            .collect()
    };
    let ask = |arguments: &str| {
        format!(
            "{{ players{arguments} {{ edges {{ cursor node {{ username }} }} pageInfo {{ hasNextPage endCursor }} }} }}"
        )
    };
    let all = world.data(None, &ask("")).await;
    assert_eq!(
        names(&all["players"]),
        ["Major", "marlin", "Marshal", "MARTHA"]
    );
    let page = world.data(None, &ask("(search: \"MAR\", first: 2)")).await["players"].take();
    assert_eq!(names(&page), ["marlin", "Marshal"]);
    assert_eq!(page["pageInfo"]["hasNextPage"], true);
    let cursor = &page["pageInfo"]["endCursor"];
    let rest = world
        .data(
            None,
            &ask(&format!("(search: \"mar\", first: 2, after: {cursor})")),
        )
        .await;
    assert_eq!(names(&rest["players"]), ["MARTHA"]);
    assert_eq!(rest["players"]["pageInfo"]["hasNextPage"], false);
    assert_eq!(
        world
            .data(None, "{ player(username: \"nobody\") { id } }")
            .await["player"],
        Value::Null
    );
}

#[tokio::test]
async fn a_node_is_what_its_identifier_says() {
    let mut world = World::new();
    let (red, blue) = (world.player("red"), world.player("blue"));
    let game = world.finished(red, blue, 2);
    let data = world
        .data(
            None,
            &format!("{{ game(id: \"{game}\") {{ id red {{ player {{ id uuid }} }} }} }}"),
        )
        .await;
    let (game_id, player_id) = (&data["game"]["id"], &data["game"]["red"]["player"]["id"]);
    assert!(
        !game_id.as_str().unwrap().contains(&game.to_string()),
        "opaque"
    );
    let query = format!(
        "{{ game: node(id: {game_id}) {{ __typename id ... on Game {{ uuid }} }}
            player: node(id: {player_id}) {{ __typename id ... on Player {{ uuid username }} }} }}"
    );
    let nodes = world.data(None, &query).await;
    assert_eq!(nodes["game"]["__typename"], "Game");
    assert_eq!(nodes["game"]["uuid"], game.to_string());
    assert_eq!(nodes["player"]["username"], "red");
    assert_eq!(
        nodes["player"]["uuid"],
        data["game"]["red"]["player"]["uuid"]
    );
}
