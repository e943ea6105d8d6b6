//! The names of the ranks in each language, as its sheet or common use has them.

use domain::{ByRank, Rank};

use super::Language;

/// The name of a rank.
pub fn rank_name(language: Language, rank: Rank) -> &'static str {
    names(language)[rank]
}

#[rustfmt::skip]
fn names(language: Language) -> ByRank<&'static str> {
    // Flag, bomb, spy, scout, miner, sergeant / lieutenant, captain, major, colonel, general, marshal.
    ByRank::new(match language {
        Language::English => [
            "Flag", "Bomb", "Spy", "Scout", "Miner", "Sergeant",
            "Lieutenant", "Captain", "Major", "Colonel", "General", "Marshal",
        ],
        Language::French => [
            "Drapeau", "Bombe", "Espionne", "Éclaireur", "Démineur", "Sergent",
            "Lieutenant", "Capitaine", "Commandant", "Colonel", "Général", "Maréchal",
        ],
        Language::Spanish => [
            "Bandera", "Bomba", "Espía", "Explorador", "Minero", "Sargento",
            "Teniente", "Capitán", "Mayor", "Coronel", "General", "Mariscal",
        ],
        Language::Greek => [
            "Σημαία", "Βόμβα", "Κατάσκοπος", "Ανιχνευτής", "Σαμποτέρ", "Λοχίας",
            "Υπολοχαγός", "Λοχαγός", "Ταγματάρχης", "Συνταγματάρχης", "Στρατηγός", "Στρατάρχης",
        ],
        Language::Romanian => [
            "Steag", "Bombă", "Spion", "Cercetaș", "Miner", "Sergent",
            "Locotenent", "Căpitan", "Maior", "Colonel", "General", "Mareșal",
        ],
        Language::German => [
            "Fahne", "Bombe", "Spionin", "Aufklärer", "Mineur", "Unteroffizier",
            "Leutnant", "Hauptmann", "Major", "Oberst", "General", "Marschall",
        ],
        Language::Dutch => [
            "Vlag", "Bom", "Spion", "Verkenner", "Mineur", "Sergeant",
            "Luitenant", "Kapitein", "Majoor", "Kolonel", "Generaal", "Maarschalk",
        ],
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use unicode_normalization::is_nfc;

    use super::*;

    #[test]
    fn every_language_has_twelve_different_names() {
        for language in Language::ALL {
            let names: HashSet<_> = Rank::ALL.map(|rank| rank_name(language, rank)).into();
            assert_eq!(names.len(), 12, "{language:?}");
            for name in names {
                assert!((3..=20).contains(&name.chars().count()), "{name}");
                assert!(
                    name.chars().all(char::is_alphabetic) && is_nfc(name),
                    "{name}"
                );
                assert!(
                    name.chars().next().is_some_and(char::is_uppercase),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn english_names_are_those_of_the_domain() {
        for rank in Rank::ALL {
            assert_eq!(
                rank_name(Language::English, rank).to_lowercase(),
                rank.name()
            );
        }
    }
}
