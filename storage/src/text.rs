//! Words of the domain that are stored as TEXT, read back.

use std::str::FromStr;

use domain::{Color, EndReason, OfferClosing, OfferKind, PauseKind, Ruleset, Status};

use crate::error::{Corruption, StorageError};

fn read<T>(value: Option<T>, column: &'static str) -> Result<T, StorageError> {
    value.ok_or(StorageError::Corrupt(Corruption::Value { column }))
}

pub(crate) fn color(text: &str) -> Result<Color, StorageError> {
    read(Color::from_str(text).ok(), "color")
}

pub(crate) fn optional_color(text: Option<&str>) -> Result<Option<Color>, StorageError> {
    text.map(color).transpose()
}

pub(crate) fn ruleset(text: &str) -> Result<Ruleset, StorageError> {
    read(Ruleset::from_str(text).ok(), "ruleset")
}

pub(crate) fn status(text: &str) -> Result<Status, StorageError> {
    read(Status::from_name(text), "status")
}

pub(crate) fn reason(text: &str) -> Result<EndReason, StorageError> {
    read(EndReason::from_name(text), "reason")
}

pub(crate) fn pause_kind(text: &str) -> Result<PauseKind, StorageError> {
    read(PauseKind::from_name(text), "pause_kind")
}

pub(crate) fn offer_kind(text: &str) -> Result<OfferKind, StorageError> {
    read(OfferKind::from_name(text), "kind")
}

pub(crate) fn offer_closing(text: &str) -> Result<OfferClosing, StorageError> {
    read(OfferClosing::from_name(text), "closing")
}
