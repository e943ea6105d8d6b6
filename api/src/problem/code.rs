//! The closed list of error codes, with the status, title and explanation of each.

use actix_web::http::StatusCode;

/// Declares the codes and their table in one place, so that neither can lack an entry.
macro_rules! codes {
    ($($variant:ident $status:literal $name:literal $title:literal $explanation:literal)*) => {
        /// A stable error code. Its wire form is `snake_case`; its type is `/problems/` and the same with dashes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $explanation] $variant,)*
        }

        impl Code {
            /// Every code, in order of status.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as clients see it, e.g. `illegal_move`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// A short title, the same for every occurrence.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// What the code means and what a client can do about it.
            pub const fn explanation(self) -> &'static str {
                match self { $(Self::$variant => $explanation,)* }
            }

            const fn status_number(self) -> u16 {
                match self { $(Self::$variant => $status,)* }
            }
        }
    };
}

codes! {
    MalformedRequest 400 "malformed_request" "Malformed request"
        "The request could not be read: broken JSON, a value of the wrong type or beyond its range, an unknown field, or an identifier or query value that is not one. `field` or `errors` names the place. Whole numbers are written without a decimal point (`21`, not `21.0`)."
    Unauthenticated 401 "unauthenticated" "Authentication required"
        "The call needs a valid access token in `Authorization: Bearer …`, and none came, or the one that came is not valid here. Log in or refresh."
    TokenExpired 401 "token_expired" "Token expired"
        "The token was valid once and has run out. Get a new access token with the refresh token, or log in again."
    InvalidCredentials 401 "invalid_credentials" "Invalid credentials"
        "The username and password do not belong together. An unknown username gets the same answer."
    TokenReused 401 "token_reused" "Refresh token already used"
        "Each refresh token serves once. This one was spent before; when that was not a moment ago, all refresh tokens that stem from the same login have ended. Log in again."
    Forbidden 403 "forbidden" "Forbidden"
        "The caller is known and may see the thing, but may not do this with it."
    InsufficientScope 403 "insufficient_scope" "Insufficient scope"
        "The token does not carry the scope that the call needs; `scope` names it."
    NotFound 404 "not_found" "Not found"
        "There is nothing at this address, or nothing that the caller may know of."
    MethodNotAllowed 405 "method_not_allowed" "Method not allowed"
        "The address exists but not with this method; `Allow` lists the methods it has."
    NotAcceptable 406 "not_acceptable" "Not acceptable"
        "The answer exists in none of the media types that `Accept` asks for; the detail lists those there are."
    StalePly 409 "stale_ply" "Stale ply"
        "The game has moved on: `ply` is not the number of moves made so far, which `current_ply` gives. Read the game again and decide anew."
    NotYourTurn 409 "not_your_turn" "Not your turn"
        "The other side is to move."
    GameNotActive 409 "game_not_active" "Game not active"
        "The game is not at the stage at which this can be done: it has not begun, was aborted, or is under way. The detail says when it can be."
    GameOver 409 "game_over" "Game over"
        "The game has ended; nothing more can be done in it."
    SetupAlreadyPlaced 409 "setup_already_placed" "Setup already placed"
        "Both armies stand, so a setup can no longer be replaced."
    UsernameTaken 409 "username_taken" "Username taken"
        "Another account has this username. Usernames that differ in case alone are the same."
    ChallengeClosed 409 "challenge_closed" "Challenge closed"
        "The challenge was accepted, declined or withdrawn before."
    OfferClosed 409 "offer_closed" "Offer closed"
        "The offer was answered before, or has lapsed since its receiver moved."
    OwnChallenge 409 "own_challenge" "Own challenge"
        "A challenge cannot be accepted or declined by the player who made it."
    OwnOffer 409 "own_offer" "Own offer"
        "An offer cannot be answered by the player who made it."
    EmailMissing 409 "email_missing" "No address"
        "The account has no address to send mail to. Set one with `PATCH /v1/me` first."
    MailOff 409 "mail_off" "No mail"
        "This server sends no mail: whoever runs it has not configured it."
    IdempotencyInProgress 409 "idempotency_in_progress" "Request in progress"
        "A request with the same Idempotency-Key is being handled at this moment. Ask again for its result."
    Gone 410 "gone" "Gone"
        "It existed and does so no more: an erased account or an expired challenge."
    PreconditionFailed 412 "precondition_failed" "Precondition failed"
        "`If-Match` was sent and the game has changed since that ETag. Read it again."
    PayloadTooLarge 413 "payload_too_large" "Payload too large"
        "The body is larger than this address takes; the detail gives the limit."
    UnsupportedMediaType 415 "unsupported_media_type" "Unsupported media type"
        "The body must be JSON, sent with `Content-Type: application/json`."
    IllegalMove 422 "illegal_move" "Illegal move"
        "The move is against the rules; `reason` says which: `not_on_board`, `same_square`, `empty_square`, `not_your_piece`, `immovable`, `lake`, `occupied_by_own`, `not_straight`, `too_far`, `path_blocked`, `two_squares` or `more_squares`, the first that applies."
    IllegalSetup 422 "illegal_setup" "Illegal setup"
        "The setup is against the rules; `reason` says how: `wrong_length`, `unknown_piece`, `wrong_count` (with `piece`, `expected`, `found`) or `no_opening_move`, the first that applies."
    IllegalRescue 422 "illegal_rescue" "Illegal rescue"
        "The rescue is against the rules; `reason` says which: `not_enabled`, `not_on_back_row`, `scout_cannot_rescue`, `nothing_to_rescue`, `not_captured`, `bomb`, `limit_reached`, `rescuer_used`, `square_occupied` or `not_own_half`, the first that applies."
    ValidationFailed 422 "validation_failed" "Validation failed"
        "The request could be read, but values in it cannot be taken; `errors` lists every such field with a code and a sentence."
    IdempotencyKeyReused 422 "idempotency_key_reused" "Idempotency key reused"
        "The Idempotency-Key was used before for a different request. Use a new key for each new thing to create."
    QueryTooSlow 422 "query_too_slow" "Query too slow"
        "What was asked for takes longer than a query may (10 s). Ask for fewer games, by a narrower filter, or for fewer figures at once; roll-ups by ruleset, source, month and rating band (200 points) answer at once."
    RateLimited 429 "rate_limited" "Too many requests"
        "Too many requests came in too short a time. `Retry-After` gives the seconds to wait; `RateLimit` and `RateLimit-Policy` give the state and the rule."
    Internal 500 "internal" "Internal error"
        "A fault in the server, which was logged under `request_id`. The request may be tried again."
    Unavailable 503 "unavailable" "Unavailable"
        "The server cannot answer at this moment: its database is away, too much is waiting, or it is shutting down. Nothing was changed unless the detail says so; try again after `Retry-After` seconds."
}

impl Code {
    /// The HTTP status that goes with the code.
    pub fn status(self) -> StatusCode {
        StatusCode::from_u16(self.status_number()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The last part of the type's address: the code with dashes.
    pub fn slug(self) -> String {
        self.as_str().replace('_', "-")
    }

    /// The `type` member: a reference that explains the code when it is fetched.
    pub fn type_reference(self) -> String {
        format!("/problems/{}", self.slug())
    }

    /// The code whose [`slug`](Self::slug) this is.
    pub fn from_slug(slug: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.slug() == slug)
    }

    /// The code that stands for a bare status, for answers that were not made by our handlers.
    pub fn for_status(status: StatusCode) -> Self {
        match status.as_u16() {
            401 => Self::Unauthenticated,
            403 => Self::Forbidden,
            404 => Self::NotFound,
            405 => Self::MethodNotAllowed,
            406 => Self::NotAcceptable,
            410 => Self::Gone,
            412 => Self::PreconditionFailed,
            413 => Self::PayloadTooLarge,
            415 => Self::UnsupportedMediaType,
            422 => Self::ValidationFailed,
            429 => Self::RateLimited,
            503 => Self::Unavailable,
            400..=499 => Self::MalformedRequest,
            _ => Self::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The table of the contract, kept here as a second witness.
    const CONTRACT: &[(u16, &[&str])] = &[
        (400, &["malformed_request"]),
        (
            401,
            &[
                "unauthenticated",
                "token_expired",
                "invalid_credentials",
                "token_reused",
            ],
        ),
        (403, &["forbidden", "insufficient_scope"]),
        (404, &["not_found"]),
        (405, &["method_not_allowed"]),
        (406, &["not_acceptable"]),
        (413, &["payload_too_large"]),
        (415, &["unsupported_media_type"]),
        (
            409,
            &[
                "stale_ply",
                "not_your_turn",
                "game_not_active",
                "game_over",
                "setup_already_placed",
                "username_taken",
                "challenge_closed",
                "offer_closed",
                "own_challenge",
                "own_offer",
                "idempotency_in_progress",
            ],
        ),
        (412, &["precondition_failed"]),
        (410, &["gone"]),
        (
            422,
            &[
                "illegal_move",
                "illegal_setup",
                "illegal_rescue",
                "validation_failed",
                "idempotency_key_reused",
            ],
        ),
        (429, &["rate_limited"]),
        (503, &["unavailable"]),
    ];

    #[test]
    fn every_code_of_the_contract_is_there_with_its_status() {
        for (status, names) in CONTRACT {
            for name in *names {
                let code = Code::ALL.iter().find(|code| code.as_str() == *name);
                assert_eq!(
                    code.map(|code| code.status().as_u16()),
                    Some(*status),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn names_are_unique_and_slugs_lead_back() {
        let names: HashSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for code in Code::ALL {
            assert_eq!(Code::from_slug(&code.slug()), Some(*code));
            assert!(code.status().as_u16() >= 400);
            assert!(code.explanation().ends_with('.'), "{code:?}");
        }
        assert_eq!(Code::from_slug("illegal_move"), None);
        assert_eq!(Code::from_slug("no-such"), None);
    }

    #[test]
    fn a_bare_status_finds_a_code_of_its_own_class() {
        for status in 400..=599_u16 {
            let code = Code::for_status(StatusCode::from_u16(status).unwrap());
            assert_eq!(code.status().as_u16() / 100, status / 100, "{status}");
        }
    }
}
