//! A whole database, table by table, as values: what an archive carries from one database to another.
//!
//! [`TABLES`] says what is carried, in an order in which no row refers to one that comes later.
//! [`read()`] and [`write()`] lend a connection of their own within one transaction that may take long;
//! [`for_each_row`] and [`insert`] move the rows. Everything stored is in them, secrets included.

mod read;
mod table;
mod value;
mod write;

pub use read::{count, first_occupied, for_each_row, read, schema};
pub use table::{Column, Kind, TABLES, Table};
pub use value::{Row, Value};
pub use write::{BATCH_ROWS, RefusedRow, insert, write};
