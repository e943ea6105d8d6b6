//! Two worlds in one place: everything is asked, the stored armies are exchanged, and everything is
//! asked again, under the same identifiers and at the same instant.

use domain::{Setup, Status, Style};
use serde_json::{Value, json};
use tests::client::text;
use tests::dice::Dice;
use tests::log::{Lines, Log};
use tests::metrics::{self, Figures};
use tests::tables::Tables;
use tests::worlds::{Played, World};
use tests::{Backend, Client, Timed};

use super::ask::{Ask, Seen, Who};
use super::counts::Counts;
use super::graphql::{self, Choice, Schema, VIEWPOINTS};
use super::moves;
use super::prepared;
use super::routes::{self, Route, Scene};
use super::streams::{self, Followed};
use super::table::{Table, move_json};
use super::words;

/// A server and what looks at it.
pub(super) struct Lab {
    pub(super) timed: Timed,
    tables: Tables,
    log: Log,
    routes: Vec<Route>,
    schema: Schema,
    pub(super) counts: Counts,
}

/// What one world gave.
struct Told {
    answers: Vec<Seen>,
    lines: Lines,
    counted: Figures,
}

impl Lab {
    pub(super) fn start(backend: Backend) -> Self {
        let log = Log::capture();
        let timed = Timed::start_with(
            backend,
            &[
                ("REVEILLE_METRICS_LISTEN", "127.0.0.1:0"),
                // Games that are kept in memory would stay what they were when the stored armies are
                // exchanged beneath them: each request is to read what is stored.
                ("REVEILLE_GAME_CACHE", "0"),
                // A node that was followed at ends at once, for there are many of them.
                ("REVEILLE_SHUTDOWN_TIMEOUT", "0"),
                ("REVEILLE_CORS_ORIGINS", "https://example.org"),
                ("REVEILLE_GRAPHQL_MAX_DEPTH", "100"),
                ("REVEILLE_GRAPHQL_MAX_COMPLEXITY", "100000000"),
                ("REVEILLE_GRAPHQL_MAX_QUERY_BYTES", "200000"),
            ],
        );
        let tables = Tables::open(backend, timed.database());
        let anyone = Client::new(&timed.url());
        let document = anyone.get("/openapi.json").ok(200);
        let schema = Schema::read(&anyone);
        for root in ["game", "games", "player", "players", "node"] {
            assert!(
                schema.leads_to(root, "PieceView"),
                "{root} leads to no piece"
            );
        }
        Self {
            timed,
            tables,
            log,
            routes: routes::routes(&document),
            schema,
            counts: Counts::default(),
        }
    }

    /// Compares all that is told of a game in which one army stands or both.
    pub(super) fn compare(&mut self, table: &Table, whole: bool, dice: &mut Dice) {
        let Some(world) = other_world(table, dice) else {
            self.counts.alone += 1;
            return;
        };
        let other = table.played.within(&world).expect("a world of its own");
        self.count_worlds(table, &other);
        let asks = self.asks(table, &other, whole, dice);
        let follow = Dice::new(dice.below(usize::MAX) as u64);
        let here = self.told(table, &asks);
        let heard = self.followed(table, &world, &follow);
        self.enter(table, &world);
        let there = self.told(table, &asks);
        let heard_there = self.followed(table, &world, &follow);
        self.compare_told(table, &world, &asks, &here, &there);
        self.compare_followed(table, &heard, &heard_there);
        let (asks, tags) = unchanged(&asks, &here, dice);
        let there = self.told(table, &asks);
        self.enter(table, table.played.world());
        let here = self.told(table, &asks);
        self.compare_told(table, &world, &asks, &here, &there);
        let not_sent = here.answers.iter().filter(|seen| seen.status == 304);
        assert_eq!(not_sent.count(), tags, "a tag was not taken for what it is");
        self.counts.unchanged += tags;
        if table.begun {
            self.compare_moves(table, &other, dice);
        }
    }

    /// What the viewer does is taken in one world, undone, and taken in the other.
    fn compare_moves(&mut self, table: &Table, other: &Played, dice: &mut Dice) {
        let tag = table.send(&Ask::get(Who::Viewer, table.path("")));
        let tag = tag.header("etag").expect("a tag").to_owned();
        for request in moves::taken(table, other, dice) {
            let mut ask = Ask::post(Who::Viewer, table.path("/moves"), &move_json(&request));
            if dice.one_in(2) {
                ask = ask.header("if-match", &tag);
            }
            // The same again, as after a lost answer, and what he sees then.
            let retry = ask.clone();
            let asks = [ask, retry, Ask::get(Who::Viewer, table.path(""))];
            let told = self.done(table, other.world(), &asks);
            assert_eq!(told.answers[0].status, 201, "{:?}", told.answers[0].body);
            self.counts.taken += 1;
            let attacked = table.played.game().is_attack(domain::Move {
                from: request.from.expect("on the board"),
                to: request.to.expect("on the board"),
            });
            self.counts.attacks += usize::from(attacked);
        }
        self.compare_offers(table, other.world());
        // What the viewer prepares himself.
        let path = table.path("/conditional-moves");
        let put = Ask::new(Who::Viewer, "PUT", &path).json(&prepared::any(dice));
        let delete = Ask::new(Who::Viewer, "DELETE", &path);
        let asks = [put, Ask::get(Who::Viewer, &path), delete];
        let told = self.done(table, other.world(), &asks);
        assert_eq!(told.answers[0].status, 200, "{:?}", told.answers[0].body);
    }

    /// An offer of the other side's is declined; one of the viewer's own is made once more. Offers are
    /// made and ended in earnest, for they have identifiers of their own.
    fn compare_offers(&mut self, table: &Table, world: &World) {
        let offers = table.path("/offers");
        let draw = json!({"kind": "draw"});
        for side in [table.secret, table.viewer()] {
            let offer = table.players[side].post(&offers, &draw).ok(201);
            let answer = |verb: &str| format!("{offers}/{}/{verb}", text(&offer["id"]));
            let asks = if side == table.secret {
                vec![Ask::post(Who::Viewer, answer("decline"), &json!({}))]
            } else {
                vec![
                    Ask::post(Who::Viewer, &offers, &draw),
                    Ask::post(Who::Viewer, answer("accept"), &json!({})),
                ]
            };
            self.done(table, world, &asks);
            table.players[!side]
                .post(&answer("decline"), &json!({}))
                .ok(200);
        }
    }

    /// The viewer's army is placed against one army of the other side, taken back, and placed
    /// against another, which stands on the same squares: the game begins, and these are seen.
    pub(super) fn compare_placing(&mut self, table: &Table, dice: &mut Dice) {
        let world = table.played.permuted(table.secret, dice);
        let world = world.expect("armies of which nothing is known");
        let body = json!({"setup": table.setups[table.viewer()].to_string()});
        let ask = Ask::new(Who::Viewer, "PUT", table.path("/setup")).json(&body);
        let told = self.done(table, &world, &[ask]);
        assert_eq!(told.answers[0].status, 200, "{}", told.answers[0].body);
    }

    /// Sends requests that change the game, in this world and in another, and undoes them.
    fn done(&mut self, table: &Table, world: &World, asks: &[Ask]) -> Told {
        self.tables.keep(&table.id);
        let here = self.told(table, asks);
        self.tables.rewind(&table.id);
        self.enter(table, world);
        let there = self.told(table, asks);
        self.tables.rewind(&table.id);
        self.compare_told(table, world, asks, &here, &there);
        here
    }

    /// Exchanges the stored armies, and looks as their owner whether the server has taken that in. In
    /// the other world he has prepared replies as well, and none of them is played.
    fn enter(&mut self, table: &Table, world: &World) {
        self.tables.enter(&table.id, world);
        let is_other = world != table.played.world();
        let prepared = is_other.then(|| prepared::unplayed(table));
        let lines = prepared.as_ref().map(|prepared| prepared.lines.as_str());
        let since = prepared.as_ref().map_or(0, |prepared| prepared.since);
        let secret = table.secret.name();
        self.tables.prepare(&table.id, secret, since, lines);
        let owner = &table.players[table.secret];
        let own = owner.get(&table.path("/conditional-moves")).ok(200);
        match &prepared {
            Some(prepared) if prepared.is_dropped => {
                self.counts.dropped += 1;
                assert_ne!(own["dropped"], Value::Null, "{own}");
            }
            Some(_) => {
                self.counts.prepared += 1;
                assert_ne!(own["lines"], json!([]), "{own}");
            }
            None => assert_eq!(own, json!({"lines": [], "dropped": null})),
        }
        let game = table.players[table.secret].get(&table.path("")).ok(200);
        for piece in game["pieces"].as_array().expect("pieces") {
            let Ok(id) = text(&piece["id"]).parse::<domain::PieceId>() else {
                panic!("{piece}");
            };
            if let (true, Some(rank)) = (id.owner() == table.secret, world.rank(id)) {
                assert_eq!(text(&piece["piece"]), rank.to_char().to_string(), "{id}");
            }
        }
    }

    fn told(&self, table: &Table, asks: &[Ask]) -> Told {
        let address = self.timed.metrics_address().expect("figures are on");
        let figures = || metrics::scrape(&format!("http://{address}"));
        let before = figures();
        self.log.take();
        let answers: Vec<Seen> = asks.iter().map(|ask| table.send(ask)).collect();
        let lines = self.log.take();
        Told {
            answers,
            lines: Lines::of(&lines),
            counted: metrics::counted(&before, &figures()),
        }
    }

    /// What all who follow the game hear of it, at a node that has nothing in memory.
    fn followed(&mut self, table: &Table, world: &World, dice: &Dice) -> Vec<Followed> {
        let node = self.timed.another_node();
        let url = format!("http://{}", node.address());
        let choice = Choice {
            game: table.id.clone(),
            node: table.id.clone(),
            username: table.players[table.secret].name.clone(),
            viewpoint: None,
            ply: 0,
            first: 2,
            rounds: 1,
        };
        let heard = streams::followed(table, &self.schema, &choice, &url, dice.clone());
        drop(node);
        let lines = Lines::of(&self.log.take());
        let telling = words::telling(&lines.all, table, world);
        assert!(telling.is_empty(), "{telling:?}");
        heard
    }

    fn compare_followed(&mut self, table: &Table, here: &[Followed], there: &[Followed]) {
        assert_eq!(here.len(), there.len());
        for (one, two) in here.iter().zip(there) {
            self.counts.followed += one.told.len();
            let parts = one.told.iter().zip(&two.told);
            let apart = parts.filter(|(one, two)| one != two).take(2);
            let apart: Vec<_> = apart.collect();
            let (ply, secret) = (table.ply(), table.secret);
            assert!(
                one == two,
                "ply {ply}, {secret} differs, {:?} {}: {} / {} parts, {apart:#?}",
                one.who,
                one.what,
                one.told.len(),
                two.told.len()
            );
        }
    }

    fn compare_told(
        &mut self,
        table: &Table,
        world: &World,
        asks: &[Ask],
        here: &Told,
        there: &Told,
    ) {
        let mut faults = Vec::new();
        for ((ask, one), two) in asks.iter().zip(&here.answers).zip(&there.answers) {
            self.counts.pair(table.terms.ruleset.id(), ask, one);
            if one.status >= 500 {
                faults.push(format!("{ask:?}: {}", one.body));
            }
            faults.extend(one.differs(two).map(|how| format!("{ask:?}: {how}")));
        }
        let (one, two) = (&here.lines.comparable, &there.lines.comparable);
        if one != two {
            let pairs = one.iter().zip(two);
            let first = pairs.filter(|(one, two)| one != two).take(3);
            let first: Vec<String> = first
                .map(|(one, two)| format!("log: {one}\n     {two}"))
                .collect();
            let (one, two) = (one.len(), two.len());
            faults.push(format!(
                "log: {one} / {two} lines\n  {}",
                first.join("\n  ")
            ));
        }
        for told in [here, there] {
            faults.extend(words::telling(&told.lines.all, table, world));
        }
        if here.counted != there.counted {
            let (one, two) = (&here.counted, &there.counted);
            faults.push(format!("figures: {one:?}\n  {two:?}"));
        }
        self.counts.lines += here.lines.comparable.len();
        self.counts.series += here.counted.len();
        let (ply, secret, options) = (table.ply(), table.secret, table.terms.options);
        let (ruleset, count) = (table.terms.ruleset, faults.len());
        faults.truncate(12);
        assert!(
            faults.is_empty(),
            "{ruleset} ply {ply}, {secret} differs, {options:?}: {count} differences\n{}",
            faults.join("\n")
        );
    }

    fn count_worlds(&mut self, table: &Table, other: &Played) {
        let story = table.played.story();
        let hidden_loss = |piece: &domain::PieceId| {
            piece.owner() == table.secret && !story.declared.contains(piece)
        };
        let counts = &mut self.counts;
        assert_eq!(other.game().status(), Status::Active);
        counts.worlds += 1;
        counts.setups += usize::from(!table.begun);
        counts.silent += usize::from(table.begun && table.terms.options.silent_defense);
        counts.rescued += usize::from(story.rescued > 0);
        let telling = moves::telling(&table.played, other, table.viewer());
        counts.probes += usize::from(table.begun && !telling.is_empty());
        counts.hidden_losses += usize::from(story.fallen.iter().any(hidden_loss));
    }

    /// Everything that is asked in each of two worlds.
    fn asks(&self, table: &Table, other: &Played, whole: bool, dice: &mut Dice) -> Vec<Ask> {
        let scene = scene(table, whole);
        let mut asks = Vec::new();
        for route in &self.routes {
            let cursor = cursor(table, route, &scene);
            for who in Who::ALL {
                asks.extend(route.asks(who, &scene, cursor.as_deref(), dice));
            }
        }
        asks.extend(self.queries(table, &scene, dice));
        let most = match (whole, table.begun) {
            (true, _) => 30,
            (false, true) => 10,
            (false, false) => 6,
        };
        asks.extend(moves::refused(table, other, most, dice));
        let origin = |ask: Ask| {
            if dice.one_in(8) {
                ask.header("origin", "https://example.org")
            } else {
                ask
            }
        };
        asks.into_iter().map(origin).collect()
    }

    fn queries(&self, table: &Table, scene: &Scene, dice: &mut Dice) -> Vec<Ask> {
        let ply = scene.ply;
        let nodes = nodes(table);
        let choice = |viewpoint: Option<&'static str>, dice: &mut Dice| {
            let within = dice.below(ply as usize + 1);
            let within = u32::try_from(within).expect("few");
            let ply = *dice.pick(&[0, within, ply, ply, ply, ply + 1]);
            // Of several faults in one answer chance says which comes first, so there is one.
            let may_fail = ply > scene.ply || !matches!(viewpoint, None | Some("PUBLIC"));
            let wide = !may_fail && scene.whole && dice.one_in(4);
            Choice {
                game: table.id.clone(),
                node: dice.pick(&nodes).clone(),
                username: dice.pick(&scene.names).clone(),
                viewpoint,
                ply,
                first: if may_fail { 1 } else { 1 + dice.below(2) },
                rounds: if wide { 2 } else { 1 },
            }
        };
        let mut asks = Vec::new();
        let most = if scene.whole { usize::MAX } else { 1 };
        for viewpoint in dice.some(VIEWPOINTS.to_vec(), most) {
            let choice = choice(viewpoint, dice);
            let query = self.schema.query("game", &choice, dice);
            asks.push(graphql::ask(Who::Viewer, &query));
        }
        let others = dice.some(self.schema.roots(), most).into_iter();
        for root in others.chain(["game".to_owned()]) {
            let choice = choice(*dice.pick(&VIEWPOINTS), dice);
            let query = self.schema.query(&root, &choice, dice);
            asks.push(graphql::ask(*dice.pick(&Who::ALL), &query));
        }
        asks.push(graphql::ask(Who::Viewer, "{ game(id: 7) { nothing } }"));
        asks
    }
}

/// Another world that the viewer cannot tell from this one; any army before both stand. Where the viewer
/// could probe with a rescue, one in which that would end otherwise if there is any.
fn other_world(table: &Table, dice: &mut Dice) -> Option<World> {
    let ruleset = table.terms.ruleset;
    if !table.begun {
        let mut world = table.played.world().clone();
        let army = Setup::random(ruleset, Style::Uniform, |n| dice.below(n));
        world.setups[table.secret] = army;
        return Some(world);
    }
    let mut world = table.played.permuted(table.secret, dice)?;
    if moves::probes(&table.played, table.viewer()).is_empty() {
        return Some(world);
    }
    for _ in 0..8 {
        let other = table.played.within(&world)?;
        if !moves::telling(&table.played, &other, table.viewer()).is_empty() {
            break;
        }
        world = table.played.permuted(table.secret, dice).unwrap_or(world);
    }
    Some(world)
}

/// Some of the requests again that were answered with a tag, each naming it, and how many they are:
/// none of them is sent again.
fn unchanged(asks: &[Ask], told: &Told, dice: &mut Dice) -> (Vec<Ask>, usize) {
    let tagged = asks.iter().zip(&told.answers).filter_map(|(ask, seen)| {
        let tag = seen.header("etag").filter(|_| seen.status == 200)?;
        Some(ask.clone().header("if-none-match", tag))
    });
    let again = dice.some(tagged.collect(), 12);
    let count = again.len();
    (again, count)
}

fn scene(table: &Table, whole: bool) -> Scene {
    let deployed = domain::PieceId::all().filter(|piece| {
        piece.owner() == table.secret && table.played.world().rank(*piece).is_some()
    });
    let rescued = [1, 2].map(|nth| format!("{}:rescue{nth}", table.secret));
    let nonsense = ["blue:e5", "green:a1", "red:rescue3", "x"].map(str::to_owned);
    let pieces = deployed.map(|piece| piece.to_string());
    Scene {
        game: table.id.clone(),
        challenge: table.challenge.clone(),
        pieces: pieces.chain(rescued).chain(nonsense).collect(),
        names: [
            table.players[table.secret].name.clone(),
            table.players[table.viewer()].name.clone(),
        ],
        ply: table.ply(),
        whole,
    }
}

/// Where the second page of a list begins.
fn cursor(table: &Table, route: &Route, scene: &Scene) -> Option<String> {
    if !route.takes_cursor() || route.is_of_games() {
        return None;
    }
    let path = route.path.replace("{username}", &scene.names[0]);
    let page = table.send(&Ask::get(Who::Viewer, format!("{path}?limit=1")));
    let page: Value = serde_json::from_str(&page.body).ok()?;
    Some(page["next"].as_str()?.to_owned())
}

/// The opaque identifiers of the game and of its players.
fn nodes(table: &Table) -> Vec<String> {
    let query =
        "query($id: UUID!) { game(id: $id) { id red { player { id } } blue { player { id } } } }";
    let answer = table
        .client(Who::Viewer)
        .query(query, &json!({"id": table.id}));
    let game = &answer["game"];
    let players = ["red", "blue"].map(|side| text(&game[side]["player"]["id"]));
    [text(&game["id"])].into_iter().chain(players).collect()
}
