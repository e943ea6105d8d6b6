use unicode_normalization::is_nfc;

use super::*;

fn everything(language: Language, ruleset: Ruleset) -> Vec<String> {
    let sections = text(language, ruleset);
    let titles = sections.iter().map(|section| section.title.to_owned());
    let advice = advice(language, ruleset)
        .iter()
        .map(|piece| (*piece).to_owned());
    let mut all: Vec<String> = titles.chain(advice).collect();
    all.push(sheet(language, ruleset).to_owned());
    all.extend(sections.into_iter().flat_map(|section| section.paragraphs));
    all
}

fn section(language: Language, ruleset: Ruleset, topic: Topic) -> String {
    let sections = text(language, ruleset);
    let section = sections
        .into_iter()
        .find(|section| section.topic == topic)
        .expect("every topic");
    section.paragraphs.join(" ")
}

#[test]
fn no_text_has_an_unfilled_place_or_a_strange_length() {
    for language in Language::WITH_TEXT {
        for ruleset in Ruleset::ALL {
            for sentence in everything(language, ruleset) {
                assert!(!sentence.contains(['{', '}']), "{sentence}");
                assert!((4..=900).contains(&sentence.chars().count()), "{sentence}");
                assert!(
                    is_nfc(&sentence) && sentence.trim() == sentence,
                    "{sentence}"
                );
                assert!(!sentence.contains("  "), "{sentence}");
            }
        }
    }
}

#[test]
fn every_paragraph_is_a_sentence() {
    for language in Language::WITH_TEXT {
        for ruleset in Ruleset::ALL {
            let sections = text(language, ruleset);
            let paragraphs = sections.iter().flat_map(|section| &section.paragraphs);
            let advice = advice(language, ruleset).iter().copied();
            for paragraph in paragraphs.map(String::as_str).chain(advice) {
                assert!(paragraph.ends_with('.'), "{paragraph}");
                assert!(
                    paragraph.chars().next().is_some_and(char::is_uppercase),
                    "{paragraph}"
                );
            }
        }
    }
}

#[test]
fn languages_say_the_same_things_and_none_is_a_copy_of_another() {
    for ruleset in Ruleset::ALL {
        let english = text(Language::English, ruleset);
        for language in Language::WITH_TEXT.into_iter().skip(1) {
            let other = text(language, ruleset);
            for (english, other) in english.iter().zip(&other) {
                assert_eq!(english.topic, other.topic);
                assert_eq!(
                    english.paragraphs.len(),
                    other.paragraphs.len(),
                    "{:?}",
                    english.topic
                );
                for (english, other) in english.paragraphs.iter().zip(&other.paragraphs) {
                    assert_ne!(english, other);
                    assert_eq!(numbers(english), numbers(other), "{english}\n{other}");
                }
            }
            let (ours, theirs) = (
                advice(Language::English, ruleset),
                advice(language, ruleset),
            );
            assert_eq!(ours.len(), theirs.len());
        }
    }
}

/// The numbers of a text in order of size, those in the names of squares included.
fn numbers(text: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = text
        .split(|ch: char| !ch.is_ascii_digit())
        .filter_map(|part| part.parse().ok())
        .collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn the_text_follows_the_data_of_its_ruleset() {
    for language in Language::WITH_TEXT {
        for ruleset in Ruleset::ALL {
            let options = ruleset.default_options();
            let setup = section(language, ruleset, Topic::Setup);
            assert!(
                numbers(&setup).contains(&u32::from(ruleset.army_size())),
                "{setup}"
            );
            for (rank, count) in ruleset.army().iter() {
                let listed = format!("{} × {count}", rank_name(language, rank));
                assert_eq!(setup.contains(&listed), *count > 0, "{listed}: {setup}");
            }
            let limit = u32::from(options.two_squares_limit);
            let repetition = repetition(language, ruleset);
            assert_eq!(numbers(&repetition[0]), [limit], "{}", repetition[0]);
            assert_eq!(
                section(language, ruleset, Topic::Repetition),
                repetition.join(" ")
            );
            let of = &prose(language).repetition;
            assert_eq!(
                repetition.contains(&of.forfeit_turn.to_owned()),
                options.two_squares == TwoSquares::ForfeitTurn
            );
            assert_eq!(
                repetition.contains(&of.more_squares.to_owned()),
                options.more_squares
            );
        }
    }
}

/// The section on options says that they are off unless a challenge says otherwise.
#[test]
fn no_ruleset_has_an_option_on_by_default() {
    for ruleset in Ruleset::ALL {
        let options = ruleset.default_options();
        assert!(!options.aggressor_advantage && !options.silent_defense && !options.rescue);
        assert_eq!(options.no_progress_plies, None);
    }
}

#[test]
fn the_order_of_battle_has_the_printed_numbers() {
    assert_eq!(
        order(Language::English, Ruleset::Duel),
        "Marshal (10), General (9), Miner (3), Scout (2), Spy (1)"
    );
    let original = order(Language::French, Ruleset::Original);
    assert!(original.starts_with("Maréchal (10), Général (9), Colonel (8), Commandant (7), "));
}

#[test]
fn german_and_dutch_texts_are_english_throughout() {
    for language in [Language::German, Language::Dutch] {
        for ruleset in Ruleset::ALL {
            assert_eq!(text(language, ruleset), text(Language::English, ruleset));
            assert_eq!(
                advice(language, ruleset),
                advice(Language::English, ruleset)
            );
        }
    }
}

#[test]
fn small_armies_get_advice_of_their_own() {
    for language in Language::WITH_TEXT {
        assert_ne!(
            advice(language, Ruleset::Barrage),
            advice(language, Ruleset::Classic)
        );
        assert_eq!(
            advice(language, Ruleset::Barrage),
            advice(language, Ruleset::Duel)
        );
        assert_eq!(
            advice(language, Ruleset::Original),
            advice(language, Ruleset::Classic)
        );
    }
}
