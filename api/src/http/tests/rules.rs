use super::client::{Answer, TestServer};

fn rules(server: &TestServer, ruleset: &str, language: &str) -> Answer {
    let path = format!("/v1/rules/{ruleset}");
    server.send("GET", &path, &[("Accept-Language", language)])
}

#[test]
fn rules_come_in_the_language_of_the_caller() {
    let server = TestServer::start(&[]);
    for (wished, language, text_language, marshal, title) in [
        ("fr-CA, en;q=0.5", "fr", "fr", "Maréchal", "But du jeu"),
        ("el", "el", "el", "Στρατάρχης", "Σκοπός του παιχνιδιού"),
        ("de", "de", "en", "Marschall", "Aim of the game"),
        ("nl, ro;q=0.1", "nl", "ro", "Maarschalk", "Scopul jocului"),
        ("ja", "en", "en", "Marshal", "Aim of the game"),
    ] {
        let answer = rules(&server, "original", wished);
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.header("content-language"), Some(language));
        assert!(
            answer
                .header("vary")
                .is_some_and(|vary| vary.contains("Accept-Language"))
        );
        let rules = answer.json();
        assert_eq!(rules["language"], language);
        assert_eq!(rules["text_language"], text_language);
        assert_eq!(rules["rank_names"]["M"], marshal);
        assert_eq!(rules["text"][0]["title"], title);
    }
}

#[test]
fn every_ruleset_of_the_list_has_its_own_address() {
    let server = TestServer::start(&[]);
    let list = server.send("GET", "/v1/rules", &[]).json();
    let items = list["items"].as_array().unwrap();
    assert_eq!(items.len(), 5);
    for item in items {
        assert!(item.get("text").is_none(), "the list is the short form");
        let whole = rules(&server, item["ruleset"].as_str().unwrap(), "en").json();
        for (member, value) in item.as_object().unwrap() {
            assert_eq!(&whole[member], value, "{member}");
        }
        let total: u64 = item["army"]
            .as_object()
            .unwrap()
            .values()
            .map(|count| count.as_u64().unwrap())
            .sum();
        assert_eq!(item["army_size"], total);
    }
    for unknown in ["chess", "Original", "original%20"] {
        rules(&server, unknown, "en").assert_problem(404, "not_found");
    }
}

#[test]
fn unchanged_rules_are_not_sent_again_but_another_language_is() {
    let server = TestServer::start(&[]);
    let french = rules(&server, "duel", "fr");
    let tag = french.header("etag").unwrap();
    let again = |language| {
        let headers = [("Accept-Language", language), ("If-None-Match", tag)];
        server.send("GET", "/v1/rules/duel", &headers)
    };
    let unchanged = again("fr");
    assert_eq!((unchanged.status, &*unchanged.body), (304, ""));
    assert_eq!(again("es").status, 200);
}
