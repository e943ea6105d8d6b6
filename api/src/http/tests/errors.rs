use super::client::TestServer;

#[test]
fn unknown_paths_and_methods_are_problems() {
    let server = TestServer::start(&[]);
    for path in [
        "/",
        "/nowhere",
        "/v1/nowhere?x=1",
        "/v1/%00",
        "/docs/nothing.js",
        "//healthz",
    ] {
        let problem = server
            .send("GET", path, &[])
            .assert_problem(404, "not_found");
        assert_eq!(problem["instance"], path.split('?').next().unwrap());
    }
    for method in ["POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"] {
        let answer = server.send(method, "/healthz", &[]);
        answer.assert_problem(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), Some("GET, HEAD, OPTIONS"));
    }
    let options = server.send("OPTIONS", "/healthz", &[]);
    assert_eq!(
        (options.status, options.header("allow")),
        (204, Some("GET, HEAD, OPTIONS"))
    );
    server
        .send("OPTIONS", "/nowhere", &[])
        .assert_problem(404, "not_found");
}

#[test]
fn head_answers_as_get_without_a_body() {
    let server = TestServer::start(&[]);
    for path in ["/healthz", "/openapi.json", "/problems/gone"] {
        let get = server.send("GET", path, &[]);
        let head = server.send("HEAD", path, &[]);
        assert_eq!((head.status, head.body.as_str()), (200, ""), "{path}");
        assert_eq!(
            head.header("content-length"),
            get.header("content-length"),
            "{path}"
        );
        assert_eq!(
            head.header("content-type"),
            get.header("content-type"),
            "{path}"
        );
    }
    assert_eq!(server.send("HEAD", "/nowhere", &[]).status, 404);
}

#[test]
fn every_answer_carries_the_common_headers_and_no_trust_in_sent_identifiers() {
    let server = TestServer::start(&[]);
    for (path, cached) in [
        ("/healthz", "no-store"),
        ("/nowhere", "no-store"),
        ("/.well-known/jwks.json", "public, max-age=300"),
    ] {
        let answer = server.send("GET", path, &[("X-Request-Id", "chosen-by-caller")]);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("cache-control"), Some(cached));
        let id = answer.header("x-request-id").unwrap();
        assert_eq!(id.parse::<uuid::Uuid>().unwrap().get_version_num(), 7);
    }
}

#[test]
fn types_of_problems_are_explained_to_people_and_programs() {
    let server = TestServer::start(&[]);
    let json = server.send("GET", "/problems/illegal-move", &[]);
    assert_eq!(json.json()["code"], "illegal_move");
    assert_eq!(json.json()["status"], 422);
    let html = server.send(
        "GET",
        "/problems/illegal-move",
        &[("Accept", "text/html, */*;q=0.1")],
    );
    assert_eq!(
        html.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert!(html.body.contains("<h1>Illegal move</h1>"));
    server
        .send("GET", "/problems/illegal_move", &[])
        .assert_problem(404, "not_found");
    let refused = server.send(
        "GET",
        "/problems/illegal-move",
        &[("Accept", "application/xml")],
    );
    let problem = refused.assert_problem(406, "not_acceptable");
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("application/json or text/html")
    );
}

#[test]
fn an_answer_nobody_would_accept_is_refused_before_anything_is_done() {
    let server = TestServer::start(&[]);
    for (accept, status) in [
        ("application/json", 200),
        ("application/*;q=0.1", 200),
        ("*/*", 200),
        ("application/xml, */*;q=0.1", 200),
        ("application/json;q=0", 406),
        ("image/png", 406),
    ] {
        assert_eq!(
            server.send("GET", "/healthz", &[("Accept", accept)]).status,
            status,
            "{accept}"
        );
    }
}
