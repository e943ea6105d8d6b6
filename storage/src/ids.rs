use std::fmt;
use std::str::FromStr;

use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::serialize::{self, Output, ToSql};
use diesel::sql_types::Binary;
use domain::{OfferId, Timestamp};
use uuid::{NoContext, Uuid};

/// A `UUIDv7`: unique by chance, in order of time as bytes, and never given twice.
fn uuid_at(at: Timestamp) -> Uuid {
    let micros = u64::try_from(at.as_micros()).unwrap_or(0);
    let nanos = u32::try_from(micros % 1_000_000 * 1_000).unwrap_or(0);
    Uuid::new_v7(uuid::Timestamp::from_unix(
        NoContext,
        micros / 1_000_000,
        nanos,
    ))
}

/// The identity of a new offer made at that instant.
pub fn generate_offer_id(at: Timestamp) -> OfferId {
    OfferId(uuid_at(at).as_u128())
}

macro_rules! identifier {
    ($(#[$doc:meta])* $visibility:vis $name:ident) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, AsExpression, FromSqlRow,
        )]
        #[diesel(sql_type = Binary)]
        $visibility struct $name(Uuid);

        impl<DB: Backend> ToSql<Binary, DB> for $name
        where
            [u8]: ToSql<Binary, DB>,
        {
            fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
                self.0.as_bytes().as_slice().to_sql(out)
            }
        }

        impl<DB: Backend> FromSql<Binary, DB> for $name
        where
            Vec<u8>: FromSql<Binary, DB>,
        {
            fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
                let bytes = Vec::<u8>::from_sql(bytes)?;
                Ok(Self(Uuid::from_slice(&bytes)?))
            }
        }
    };
}

macro_rules! public_identifier {
    ($(#[$doc:meta])* $name:ident) => {
        identifier!($(#[$doc])* pub $name);

        impl $name {
            /// A new one, made at that instant.
            pub fn generate(at: Timestamp) -> Self {
                Self(uuid_at(at))
            }

            /// Takes a UUID for the identifier of such a thing; whether there is one is another
            /// question.
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The UUID.
            pub const fn as_uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map(Self)
            }
        }
    };
}

public_identifier!(
    /// Identifies a player.
    PlayerId
);
public_identifier!(
    /// Identifies a login and the refresh tokens that follow from it.
    FamilyId
);
public_identifier!(
    /// Identifies a personal token.
    TokenId
);
public_identifier!(
    /// Identifies what a player shows for himself: a login or a personal token.
    CredentialId
);
public_identifier!(
    /// Identifies an entry of the audit log.
    AuditId
);
public_identifier!(
    /// Identifies an import of recorded games.
    ImportId
);
public_identifier!(
    /// Identifies a saved setup.
    SetupId
);
public_identifier!(
    /// Identifies a game.
    GameId
);
public_identifier!(
    /// Identifies a challenge.
    ChallengeId
);
public_identifier!(
    /// Identifies a webhook, or a browser that is told by Web Push.
    SubscriptionId
);
public_identifier!(
    /// Drawn by a node for what it alone does for a while.
    LeaseId
);
identifier!(
    /// The identity of an offer as it is stored.
    pub(crate) StoredOfferId
);
identifier!(
    /// The identity of something whose kind is told elsewhere.
    pub(crate) AnyId
);

impl PlayerId {
    /// What is locked for the player: the half of the identifier that was drawn. That two players share one
    /// costs a wait and nothing else.
    pub(crate) const fn lock_key(self) -> i64 {
        let (_, drawn) = self.0.as_u64_pair();
        drawn.cast_signed()
    }
}

impl From<FamilyId> for CredentialId {
    fn from(id: FamilyId) -> Self {
        Self(id.0)
    }
}

impl From<TokenId> for CredentialId {
    fn from(id: TokenId) -> Self {
        Self(id.0)
    }
}

impl From<OfferId> for StoredOfferId {
    fn from(id: OfferId) -> Self {
        Self(Uuid::from_u128(id.0))
    }
}

impl From<StoredOfferId> for OfferId {
    fn from(id: StoredOfferId) -> Self {
        Self(id.0.as_u128())
    }
}

impl From<Uuid> for AnyId {
    fn from(uuid: Uuid) -> Self {
        Self(uuid)
    }
}

impl From<AnyId> for Uuid {
    fn from(id: AnyId) -> Self {
        id.0
    }
}

/// A SHA-256 digest: of a token or of a request's body, which are never stored themselves, or the
/// root of a commitment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, AsExpression, FromSqlRow)]
#[diesel(sql_type = Binary)]
pub struct Digest(pub [u8; 32]);

impl<DB: Backend> ToSql<Binary, DB> for Digest
where
    [u8]: ToSql<Binary, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.0.as_slice().to_sql(out)
    }
}

impl<DB: Backend> FromSql<Binary, DB> for Digest
where
    Vec<u8>: FromSql<Binary, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        let bytes = Vec::<u8>::from_sql(bytes)?;
        Ok(Self(bytes.as_slice().try_into()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_print_and_parse_back_and_stand_in_order_of_time() {
        let at = |millis: i64| Timestamp::from_micros(1_774_605_600_000_000 + millis * 1000);
        let ids: Vec<GameId> = (0..1000)
            .map(|millis| GameId::generate(at(millis)))
            .collect();
        assert!(ids.is_sorted());
        for id in &ids {
            assert_eq!(id.to_string().parse(), Ok(*id));
            assert_eq!(id.as_uuid().get_version_num(), 7);
        }
        assert_ne!(GameId::generate(at(0)), GameId::generate(at(0)));
    }

    #[test]
    fn offers_keep_their_identity() {
        let id = generate_offer_id(Timestamp::from_micros(1_774_605_600_000_000));
        assert_eq!(OfferId::from(StoredOfferId::from(id)), id);
    }
}
