use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::*;

fn parsed() -> Value {
    serde_json::from_str(Document::new().unwrap().json()).unwrap()
}

fn each_operation(mut check: impl FnMut(&str, &Value)) {
    let document = parsed();
    let mut seen = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            check(&format!("{method} {path}"), operation);
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn the_document_is_3_1_with_licence_server_scheme_and_problem() {
    let document = parsed();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(
        document["info"]["license"]["identifier"],
        "MIT OR Apache-2.0"
    );
    assert_eq!(document["servers"][0]["url"], "/");
    assert_eq!(
        document["components"]["securitySchemes"][BEARER]["scheme"],
        "bearer"
    );
    assert!(document["components"]["schemas"]["Problem"]["properties"]["code"].is_object());
    assert!(document["components"]["schemas"]["FieldFault"].is_object());
    assert!(Document::new().unwrap().json().ends_with("}\n"));
}

#[test]
fn every_operation_says_what_it_does_and_what_it_answers() {
    let tags: Vec<_> = TAGS.iter().map(|(name, _)| *name).collect();
    each_operation(|name, operation| {
        for member in ["summary", "description", "operationId"] {
            assert!(
                operation[member]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{name}: {member}"
            );
        }
        let tag = operation["tags"][0].as_str().unwrap_or_default();
        assert!(tags.contains(&tag), "{name}: tag {tag:?}");
        let responses = operation["responses"].as_object().unwrap();
        assert!(
            responses.keys().any(|status| status.as_str() < "400"),
            "{name}: no success"
        );
        for (status, response) in responses {
            let described = response["description"]
                .as_str()
                .is_some_and(|text| !text.is_empty());
            assert!(
                described || response["$ref"].is_string(),
                "{name}: {status}"
            );
        }
    });
}

#[test]
fn operation_identifiers_are_unique() {
    let mut seen = Vec::new();
    each_operation(|name, operation| {
        let id = operation["operationId"].clone();
        assert!(!seen.contains(&id), "{name}: {id}");
        seen.push(id);
    });
}

#[test]
fn every_reference_leads_somewhere() {
    fn follow(document: &Value, value: &Value) {
        match value {
            Value::Object(members) => {
                if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                    let pointer = reference.strip_prefix('#').unwrap();
                    assert!(document.pointer(pointer).is_some(), "{reference}");
                }
                members.values().for_each(|member| follow(document, member));
            }
            Value::Array(items) => items.iter().for_each(|item| follow(document, item)),
            _ => {}
        }
    }
    let document = parsed();
    follow(&document, &document);
}

/// What is written for who reads the source has no place in the document.
#[test]
fn no_description_speaks_of_the_program() {
    fn check(value: &Value, seen: &mut usize) {
        match value {
            Value::Object(members) => {
                if let Some(text) = members.get("description").and_then(Value::as_str) {
                    *seen += 1;
                    for word in ["```", "Not printable", "the program", "[`"] {
                        assert!(!text.contains(word), "{word}: {text}");
                    }
                }
                members.values().for_each(|member| check(member, seen));
            }
            Value::Array(items) => items.iter().for_each(|item| check(item, seen)),
            _ => {}
        }
    }
    let mut seen = 0;
    check(&parsed(), &mut seen);
    assert!(seen > 100, "{seen} descriptions");
}

#[test]
fn paths_know_their_methods_and_media_types() {
    let document = Document::new().unwrap();
    assert_eq!(
        document.methods("/healthz"),
        [Method::GET, Method::HEAD, Method::OPTIONS]
    );
    assert_eq!(
        document.methods("/problems/not-found"),
        [Method::GET, Method::HEAD, Method::OPTIONS]
    );
    assert_eq!(document.methods("/nowhere"), [] as [Method; 0]);
    assert!(
        document
            .media_types(&Method::HEAD, "/problems/x")
            .contains(&"text/html")
    );
    assert_eq!(
        document.media_types(&Method::POST, "/healthz"),
        [] as [&str; 0]
    );
}

/// Routes that are added past the table would be missing from the document without a word.
#[test]
fn no_source_file_adds_routes_past_the_table() {
    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 20);
    let itself = Path::new(file!()).file_name();
    for path in files {
        let is_table = path.ends_with("http/routes.rs");
        let is_this_test = path.ends_with("http/openapi/tests.rs") && path.file_name() == itself;
        if is_table || is_this_test {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for call in [
            ".route(",
            "web::resource(",
            "web::scope(",
            "Resource::new(",
            "Scope::new(",
        ] {
            assert!(!text.contains(call), "{} calls {call}", path.display());
        }
    }
}
