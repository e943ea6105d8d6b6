use async_graphql::Context;
use domain::facts::Section;

/// The sections that the fields below are made of.
pub(super) fn wanted(context: &Context<'_>) -> Vec<Section> {
    let mut sections: Vec<Section> = context
        .field()
        .selection_set()
        .filter_map(|field| section_of(field.name()))
        .collect();
    sections.sort_unstable();
    sections.dedup();
    sections
}

fn section_of(field: &str) -> Option<Section> {
    Some(match field {
        "games" | "results" => Section::Results,
        "gameLength" => Section::Lengths,
        "battleMatrix" | "exchange" => Section::Battles,
        "reveals" => Section::Reveals,
        "survival" => Section::Survival,
        "deployment" => Section::Deployment,
        "firstMoves" => Section::Openings,
        "information" => Section::Information,
        "bluffs" => Section::Bluffs,
        _ => return None,
    })
}
