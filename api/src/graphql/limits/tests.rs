use std::fmt::Write as _;

use async_graphql::Variables;

use super::*;
use crate::graphql::sdl;

const LIMITS: GraphqlLimits = GraphqlLimits {
    max_depth: 12,
    max_complexity: 2_000,
    max_complexity_analysis: 20_000,
    max_aliases: 30,
    max_root_fields: 15,
    max_query_bytes: 10_000,
    max_batch: 10,
    introspection: true,
    page: true,
};

fn read_with(variables: &str, query: &str) -> Result<(), Refusal> {
    let limits = Limits::new(LIMITS, &sdl()).unwrap();
    let variables = Variables::from_json(serde_json::from_str(variables).unwrap());
    limits.read(query, &variables, Audience::Public).map(|_| ())
}

fn read(query: &str) -> Result<(), Refusal> {
    read_with("{}", query)
}

/// Holds that a query stays within the limits of the contract.
#[track_caller]
pub(in crate::graphql) fn assert_taken(query: &str) {
    let outcome = read(query);
    assert!(outcome.is_ok(), "{outcome:?} {query}");
}

#[track_caller]
fn assert_exceeds(query: &str, limit: Limit, maximum: usize) {
    match read(query) {
        Err(Refusal::Exceeded(exceeded)) => {
            assert_eq!(exceeded, Exceeded { limit, maximum }, "{query}");
            let message = exceeded.to_string();
            assert!(message.contains(limit.name()), "{message}");
            assert!(message.contains(&maximum.to_string()), "{message}");
        }
        other => panic!("{limit:?} is not exceeded: {other:?} {query}"),
    }
}

/// What a query costs, by trial.
fn complexity(query: &str) -> usize {
    let variables = Variables::default();
    let mut limits = Limits::new(LIMITS, &sdl()).unwrap();
    let (mut low, mut high) = (0, 1_000_000);
    while low < high {
        let middle = usize::midpoint(low, high);
        limits.config.max_complexity = middle;
        if limits.read(query, &variables, Audience::Public).is_ok() {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[test]
fn what_analysts_ask_for_is_taken() {
    for query in [
        "{ games(first: 100) { edges { node { uuid red { player { username } } blue { player { username } } } } } }",
        "{ games(first: 20) { edges { cursor node { uuid ruleset status plies finishedAt
            outcome { winner reason } red { player { username } } blue { player { username } }
            moves(first: 20) { edges { node { ply from to rank battle { attacker defender outcome } } } }
            replay { reveals { ply pieceId rank cause } battles { ply attacker defender outcome } }
         } } pageInfo { hasNextPage endCursor } } }",
        "{ game(id: \"01920000-0000-7000-8000-000000000000\") { replay { frames(first: 100) {
            edges { node { ply pieces { pieceId owner square rank moved revealedPly } } } } } } }",
        "query Q($n: Int = 5) { games(first: $n) { edges { node { id } } } }",
    ] {
        assert!(read(query).is_ok(), "{query}: {:?}", read(query));
    }
}

#[test]
fn the_introspection_query_of_tools_is_taken() {
    assert!(read(INTROSPECTION).is_ok(), "{:?}", read(INTROSPECTION));
    assert!(read("{ __type(name: \"Game\") { fields { name type { name } } } }").is_ok());
}

#[test]
fn depth_is_counted_with_fragments_inline() {
    let deep = |levels: usize| {
        format!(
            "{}a{}",
            "{ a ".repeat(levels - 1) + "{ ",
            " }".repeat(levels)
        )
    };
    assert!(read(&deep(12)).is_ok());
    assert_exceeds(&deep(13), Limit::Depth, 12);
    let spread = "{ a { ...F } } fragment F on Game { b { ...G } }
        fragment G on Game { c { d { e { f { g { h { i { j { ... { k { l { m } } } } } } } } } } } }";
    assert_exceeds(spread, Limit::Depth, 12);
}

#[test]
fn aliases_are_counted_wherever_they_stand() {
    let aliased = |count: usize| {
        let mut query = String::from("{ games { edges { node { ...F } } } } fragment F on Game {");
        for n in 0..count {
            write!(query, " a{n}: uuid").unwrap();
        }
        query + " }"
    };
    assert!(read(&aliased(30)).is_ok());
    assert_exceeds(&aliased(31), Limit::Aliases, 30);
    // Spread twice, they count twice.
    let twice = aliased(16).replace("...F", "...F ...F");
    assert_exceeds(&twice, Limit::Aliases, 30);
}

#[test]
fn root_fields_are_few() {
    let roots = |count: usize| format!("{{ {} }}", "__typename ".repeat(count));
    assert!(read(&roots(15)).is_ok());
    assert_exceeds(&roots(16), Limit::RootFields, 15);
    assert_exceeds(
        "{ ...F ...F } fragment F on Query { a b c d e f g h }",
        Limit::RootFields,
        15,
    );
}

#[test]
fn complexity_multiplies_by_the_page() {
    let page = |first: &str| format!("{{ games{first} {{ edges {{ node {{ uuid }} }} }} }}");
    assert_eq!(complexity(&page("(first: 1)")), 12);
    assert_eq!(complexity(&page("(first: 100)")), 115);
    assert_eq!(complexity(&page("(last: 100)")), 115);
    assert_eq!(complexity(&page("")), 31);
    // What is refused later counts as the most until then.
    assert_eq!(complexity(&page("(first: 1000000000)")), 115);
    assert_eq!(complexity(&page("(first: -1)")), 115);
    assert_eq!(complexity(&page("(first: \"x\")")), 115);
    let nested =
        "{ games(first: 100) { edges { node { moves(first: 100) { edges { node { ply } } } } } } }";
    assert_eq!(complexity(nested), 10_810);
    assert_exceeds(nested, Limit::Complexity, 2_000);
}

#[test]
fn variables_count_as_what_they_hold() {
    let query = "query Q($n: Int = 100) { games(first: $n) { edges { node {
        moves(first: $n) { edges { node { ply } } } } } } }";
    assert!(read_with(r#"{"n": 10}"#, query).is_ok());
    assert!(matches!(
        read_with(r#"{"n": 100}"#, query),
        Err(Refusal::Exceeded(Exceeded {
            limit: Limit::Complexity,
            ..
        }))
    ));
    assert_exceeds(query, Limit::Complexity, 2_000);
}

#[test]
fn a_field_that_asks_the_database_is_never_cheap() {
    let aliased = |count: usize| {
        let fields: Vec<_> = (0..count)
            .map(|n| format!("p{n}: player(username: \"a\") {{ id }}"))
            .collect();
        complexity(&format!("{{ {} }}", fields.join(" ")))
    };
    assert!(aliased(10) >= 10 * 10);
    assert!(aliased(10) >= 10 * (aliased(1) - 1));
}

#[test]
fn repeated_values_and_directives_cost_something() {
    let query = format!(
        "{{ games(first: 100) {{ edges {{ node {{ {} }} }} }} }}",
        "uuid ".repeat(500)
    );
    assert_exceeds(&query, Limit::Complexity, 2_000);
    let limits = Limits::new(
        GraphqlLimits {
            max_query_bytes: 1_000_000,
            ..LIMITS
        },
        &sdl(),
    )
    .unwrap();
    let query = format!("{{ __typename {} }}", "@skip(if: false) ".repeat(50_000));
    let refusal = limits
        .read(&query, &Variables::default(), Audience::Public)
        .unwrap_err();
    assert!(matches!(
        refusal,
        Refusal::Exceeded(Exceeded {
            limit: Limit::Complexity,
            ..
        })
    ));
}

#[test]
fn fragments_that_multiply_are_refused_in_no_time() {
    let mut query = String::from("{ ...F0 }");
    for n in 0..30 {
        write!(
            query,
            " fragment F{n} on Query {{ ...F{m} ...F{m} }}",
            m = n + 1
        )
        .unwrap();
    }
    query += " fragment F30 on Query { __typename }";
    assert_exceeds(&query, Limit::RootFields, 15);
    let below = query
        .replace("on Query", "on Game")
        .replace("{ ...F0 }", "{ node(id: \"x\") { ...F0 } }");
    assert!(matches!(
        read(&below),
        Err(Refusal::Exceeded(Exceeded {
            limit: Limit::Complexity | Limit::Nesting,
            ..
        }))
    ));
    let introspection = below.replace("node(id: \"x\")", "__schema");
    assert!(matches!(
        read(&introspection),
        Err(Refusal::Exceeded(Exceeded {
            limit: Limit::IntrospectionFields | Limit::Nesting,
            ..
        }))
    ));
}

#[test]
fn cycles_are_refused() {
    for query in [
        "{ ...F } fragment F on Query { ...F }",
        "{ node(id: \"x\") { ...F } } fragment F on Node { id ...G } fragment G on Node { ...F }",
        "{ __schema { ...F } } fragment F on __Schema { types { name } ...F }",
    ] {
        assert!(matches!(read(query), Err(Refusal::Cycle(_))), "{query}");
    }
}

#[test]
fn introspection_cannot_multiply_itself() {
    assert_exceeds(
        "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
        Limit::IntrospectionLists,
        2,
    );
    let deep = format!(
        "{{ __type(name: \"Game\") {}name{} }}",
        "{ ofType ".repeat(20) + "{ ",
        " }".repeat(21)
    );
    assert_exceeds(&deep, Limit::IntrospectionDepth, 20);
    let wide = format!("{{ __type(name: \"Game\") {{ {} }} }}", "name ".repeat(600));
    assert_exceeds(&wide, Limit::IntrospectionFields, 500);
}

#[test]
fn brackets_that_would_exhaust_the_parser_never_reach_it() {
    for query in [
        format!("{{ a(b: {}{}) }}", "[".repeat(500), "]".repeat(500)),
        format!("{{ a(b: {}1{}) }}", "{c:".repeat(500), "}".repeat(500)),
        "{a".repeat(3_000),
        "[".repeat(9_000),
    ] {
        assert_exceeds(&query, Limit::Nesting, MAX_NESTING);
    }
}

#[test]
fn long_queries_and_documents_of_many_operations_are_refused() {
    let spaces = " ".repeat(10_000 - "{ __typename }".len());
    assert!(read(&format!("{spaces}{{ __typename }}")).is_ok());
    assert_exceeds(
        &format!("{spaces} {{ __typename }}"),
        Limit::QueryBytes,
        10_000,
    );
    let operations = |count: usize| {
        (0..count).fold(String::new(), |all, n| {
            all + &format!("query Q{n} {{ __typename }} ")
        })
    };
    assert!(read(&operations(10)).is_ok());
    assert_exceeds(&operations(11), Limit::Operations, 10);
}

#[test]
fn numbers_beyond_all_range_are_an_error_of_the_query() {
    let query = format!(
        "{{ games(first: 1{}) {{ edges {{ cursor }} }} }}",
        "0".repeat(400)
    );
    assert!(matches!(read(&query), Err(Refusal::Syntax(_))));
    assert!(read("{ games(first: 9007199254740993) { edges { cursor } } }").is_ok());
}

/// What common tools send, in its widest form.
const INTROSPECTION: &str = "
query IntrospectionQuery {
  __schema {
    description
    queryType { name kind } mutationType { name kind } subscriptionType { name kind }
    types { ...FullType }
    directives { name description isRepeatable locations args(includeDeprecated: true) { ...InputValue } }
  }
}
fragment FullType on __Type {
  kind name description specifiedByURL
  fields(includeDeprecated: true) {
    name description
    args(includeDeprecated: true) { ...InputValue }
    type { ...TypeRef }
    isDeprecated deprecationReason
  }
  inputFields(includeDeprecated: true) { ...InputValue }
  interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
  possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue {
  name description type { ...TypeRef } defaultValue isDeprecated deprecationReason
}
fragment TypeRef on __Type {
  kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
  ofType { kind name ofType { kind name ofType { kind name ofType { kind name
  ofType { kind name } } } } } } } } }
}";

#[test]
fn analysts_may_ask_for_more() {
    let limits = Limits::new(LIMITS, &sdl()).unwrap();
    let games = "games(first: 100) { edges { node { uuid red { player { username } } } } }";
    let query: Vec<String> = (0..15).map(|nth| format!("g{nth}: {games}")).collect();
    let query = format!("{{ {} }}", query.join(" "));
    let read = |audience| limits.read(&query, &Variables::default(), audience);
    let Err(Refusal::Exceeded(exceeded)) = read(Audience::Public) else {
        panic!("it is beyond the limit");
    };
    assert_eq!(
        (exceeded.limit, exceeded.maximum),
        (Limit::Complexity, 2_000)
    );
    assert!(read(Audience::Analysts).is_ok());
}
