use std::fs;
use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::made::Dice;
use super::{gsn, read_all, rejections, xml};
use crate::recorded::{Code, Documents};

pub(super) type Files<'a> = &'a [(String, Vec<u8>)];

pub(super) const DEFLATED: CompressionMethod = CompressionMethod::Deflated;

pub(super) fn pack(files: Files<'_>, method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in files {
        zip.start_file(name.as_str(), options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// As a program writes it that cannot go back: lengths and checksums stand behind the entries.
pub(super) fn pack_streamed(files: Files<'_>) -> Vec<u8> {
    stream(files, false)
}

/// With lengths of 32 bits, or of 64.
fn stream(files: Files<'_>, is_large: bool) -> Vec<u8> {
    let mut zip = ZipWriter::new_stream(Vec::new());
    let options = SimpleFileOptions::default()
        .compression_method(DEFLATED)
        .large_file(is_large);
    for (name, bytes) in files {
        zip.start_file(name.as_str(), options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.add_directory("empty/", options).unwrap();
    zip.finish().unwrap().into_inner()
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

pub(super) fn files(count: u32) -> Vec<(String, Vec<u8>)> {
    let file = |number| (format!("2006/{number}.xml"), xml(number).into_bytes());
    (1..=count).map(file).collect()
}

/// They may be read on another thread.
const _: fn() = || {
    const fn is_send<T: Send>() {}
    is_send::<Documents>();
};

pub(super) fn of_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Documents {
    Documents::of_reader(name, Cursor::new(bytes.into()))
}

fn names(documents: Documents) -> Vec<String> {
    documents
        .map(|document| {
            document
                .map_or_else(|fault| fault.file, |document| document.label)
                .to_string()
        })
        .collect()
}

#[test]
fn archives_are_read_however_they_were_packed() {
    let games = files(20);
    let expected: Vec<_> = games
        .iter()
        .map(|(name, _)| format!("a.zip/{name}"))
        .collect();
    let stored = pack(&games, CompressionMethod::Stored);
    let streams = [false, true].map(|is_large| stream(&games, is_large));
    let packed = [pack(&games, DEFLATED), stored];
    for bytes in packed.into_iter().chain(streams) {
        let read = read_all(of_bytes("a.zip", bytes.clone()));
        assert_eq!(rejections(&read), []);
        assert_eq!(names(of_bytes("a.zip", bytes)), expected);
        // G10: a game has the same digest, packed or not.
        let alone = super::one("2006/20.xml", xml(20)).unwrap();
        let packed = read[19].as_ref().unwrap();
        assert_eq!(packed.digest(str::to_owned), alone.digest(str::to_owned));
    }
    // That there is nothing in it is said.
    let pictures = [("a.png".to_owned(), Vec::new())];
    for files in [&[][..], &pictures] {
        let read = read_all(of_bytes("e.zip", pack(files, DEFLATED)));
        assert_eq!(rejections(&read), [("e.zip", 1, Code::NoGame)]);
    }
}

#[test]
fn archives_may_lie_in_one_another_once() {
    let inner = pack_streamed(&files(3));
    let lines = format!("{}\n{}\n", "{}", "{}");
    let middle = [
        ("a.xml".to_owned(), xml(7).into_bytes()),
        ("README.md".to_owned(), b"no game".to_vec()),
        ("__MACOSX/._a.xml".to_owned(), b"no game".to_vec()),
        ("inner.zip".to_owned(), inner),
        ("b.gsn.gz".to_owned(), gzip(gsn(8).as_bytes())),
        ("c.ndjson.gz".to_owned(), gzip(lines.as_bytes())),
        ("d.xml".to_owned(), xml(9).into_bytes()),
    ];
    for middle in [pack(&middle, DEFLATED), pack_streamed(&middle)] {
        let expected = [
            "m.zip/a.xml",
            "m.zip/inner.zip/2006/1.xml",
            "m.zip/inner.zip/2006/2.xml",
            "m.zip/inner.zip/2006/3.xml",
            "m.zip/b.gsn.gz",
            "m.zip/c.ndjson.gz",
            "m.zip/c.ndjson.gz",
            "m.zip/d.xml",
        ];
        assert_eq!(names(of_bytes("m.zip", middle.clone())), expected);
        let outer = [
            ("m.zip".to_owned(), middle),
            ("z.xml".to_owned(), xml(1).into_bytes()),
        ];
        let read = read_all(of_bytes("o.zip", pack(&outer, DEFLATED)));
        let found = rejections(&read);
        assert!(found.contains(&("o.zip/m.zip/inner.zip", 1, Code::NestedTooDeep)));
        let last = read.last().unwrap().as_ref().unwrap();
        assert_eq!(&*last.file, "o.zip/z.xml");
    }
}

/// G09: of 20 games one is bad, one too long and one packed otherwise; the others are read, and all are told.
#[test]
fn a_bad_game_costs_itself_alone() {
    let mut games = files(20);
    games[12].1 = b"<stratego>".to_vec();
    // As long as the window of deflate, so that it becomes no shorter.
    let mut dice = Dice::new(1);
    let part: Vec<u8> = (0..64 << 10)
        .map(|_| u8::try_from(dice.below(256)).unwrap())
        .collect();
    games[13].1 = part.repeat(257);
    for bytes in [pack(&games, DEFLATED), pack_streamed(&games)] {
        let read = read_all(of_bytes("a.zip", bytes));
        assert_eq!(read.len(), 20);
        let expected = [
            ("a.zip/2006/13.xml", 1, Code::BadXml),
            ("a.zip/2006/14.xml", 1, Code::TooLarge),
        ];
        assert_eq!(rejections(&read), expected);
    }
    // One byte of a game is another.
    let mut bytes = pack(&files(20), CompressionMethod::Stored);
    let place = bytes.windows(6).position(|part| part == b"Ann 13").unwrap();
    bytes[place] = b'B';
    let read = read_all(of_bytes("a.zip", bytes));
    assert_eq!(read.len(), 20);
    assert_eq!(
        rejections(&read),
        [("a.zip/2006/13.xml", 1, Code::DamagedArchive)]
    );
}

#[test]
fn what_cannot_be_unpacked_is_passed_over() {
    let mut bytes = pack(&files(3), CompressionMethod::Stored);
    // The second entry says that it is packed by method 93, the third that it is encrypted.
    let starts: Vec<_> = (0..bytes.len() - 4)
        .filter(|at| &bytes[*at..*at + 4] == b"PK\x03\x04")
        .collect();
    bytes[starts[1] + 8] = 93;
    bytes[starts[2] + 6] |= 1;
    let read = read_all(of_bytes("a.zip", bytes));
    let expected = [
        ("a.zip/2006/2.xml", 1, Code::UnsupportedArchive),
        ("a.zip/2006/3.xml", 1, Code::UnsupportedArchive),
    ];
    assert_eq!(rejections(&read), expected);
    assert_eq!(read.len(), 3);
}

/// G11: what was read before the place where a file is cut short stands, and the cut is told.
#[test]
fn a_file_that_is_cut_short_gives_what_it_has() {
    for bytes in [pack(&files(20), DEFLATED), pack_streamed(&files(20))] {
        let whole = bytes.len();
        let mut counts = Vec::new();
        for end in (0..whole).step_by(97) {
            let read = read_all(of_bytes("a.zip", &bytes[..end]));
            let good = read.iter().filter(|read| read.is_ok()).count();
            let faults = rejections(&read);
            assert!(faults.len() <= 1, "{end}: {faults:?}");
            assert!(good == 20 || faults.len() == 1, "{end}");
            counts.push(good);
        }
        assert!(counts.is_sorted());
        assert!(counts.contains(&10));
    }
    let bytes = gzip(xml(1).as_bytes());
    let read = read_all(of_bytes("a.xml.gz", &bytes[..bytes.len() / 2]));
    assert_eq!(rejections(&read), [("a.xml.gz", 1, Code::DamagedArchive)]);
    assert_eq!(rejections(&read_all(of_bytes("a.xml.gz", bytes))), []);
}

/// Parts of gzip follow one another, and zeros behind them are nothing, as for gzip itself.
#[test]
fn gzip_is_read_as_gzip_reads_it() {
    let text = xml(1).into_bytes();
    let (start, end) = text.split_at(100);
    let parts = [gzip(start), gzip(b""), gzip(end)].concat();
    for (behind, fault) in [
        (vec![], None),
        (vec![0; 300_000], None),
        (b"x".to_vec(), Some(Code::DamagedArchive)),
        (vec![0, 0, 7], Some(Code::DamagedArchive)),
    ] {
        let read = read_all(of_bytes("a.xml.gz", [&parts[..], &behind].concat()));
        let found = read[0].as_ref().err().map(|rejection| rejection.code);
        assert_eq!((read.len(), found), (1, fault));
    }
}

/// A fault after which no entry can be found costs all that follow, and that is told beside it.
#[test]
fn what_is_lost_is_told() {
    let good = pack_streamed(&files(100));
    let starts: Vec<_> = (0..good.len() - 4)
        .filter(|at| &good[*at..*at + 4] == b"PK\x03\x04")
        .collect();
    let mut bytes = good.clone();
    // The first block of the third game is of no kind that there is.
    bytes[starts[2] + 30 + "2006/3.xml".len()] |= 0b110;
    let read = read_all(of_bytes("a.zip", bytes));
    let expected = [
        ("a.zip/2006/3.xml", 1, Code::DamagedArchive),
        ("a.zip", 1, Code::DamagedArchive),
    ];
    assert_eq!(rejections(&read), expected);
    let detail = &read[3].as_ref().unwrap_err().detail;
    assert!(detail.contains("what follows"), "{detail}");
    // A bomb in what is not read.
    let bomb = [
        ("a.xml".to_owned(), xml(1).into_bytes()),
        ("b.png".to_owned(), vec![0; 6 << 20]),
        ("c.xml".to_owned(), xml(2).into_bytes()),
    ];
    let read = read_all(of_bytes("a.zip", pack_streamed(&bomb)));
    assert_eq!(rejections(&read), [("a.zip", 1, Code::ZipBomb)]);
    // Cut within a picture, and within an archive in an archive: told once.
    let picture: Vec<u8> = (0..200_u8).cycle().take(9_000).collect();
    let three = [
        ("a.xml".to_owned(), xml(1).into_bytes()),
        ("photo.jpg".to_owned(), picture),
        ("b.xml".to_owned(), xml(2).into_bytes()),
    ];
    let bytes = pack(&three, CompressionMethod::Stored);
    let cut = bytes.len() / 2;
    let read = read_all(of_bytes("a.zip", &bytes[..cut]));
    assert_eq!(read.len(), 2);
    assert_eq!(rejections(&read), [("a.zip", 1, Code::DamagedArchive)]);
    for inner in [
        pack(&files(20), CompressionMethod::Stored),
        pack_streamed(&files(20)),
    ] {
        let inner = [("b.zip".to_owned(), inner)];
        for outer in [
            pack(&inner, CompressionMethod::Stored),
            pack_streamed(&inner),
        ] {
            for end in (outer.len() / 2..outer.len() * 3 / 4).step_by(37) {
                let read = read_all(of_bytes("a.zip", &outer[..end]));
                assert_eq!(rejections(&read).len(), 1, "{end}: {:?}", rejections(&read));
            }
        }
    }
}

/// Garbage in an archive is told, whatever it is.
#[test]
fn no_damage_brings_a_reader_down() {
    let good = pack_streamed(&files(5));
    for place in 0..good.len().min(1500) {
        let mut bytes = good.clone();
        bytes[place] ^= 0x55;
        let read = read_all(of_bytes("a.zip", bytes));
        assert!(read.len() <= 6);
    }
}

/// G12: what grows without measure is refused at once.
#[test]
fn bombs_are_refused_at_once() {
    let zeros = vec![0; 6 << 20];
    let bomb = |name: &str| vec![(name.to_owned(), zeros.clone())];
    let mut lines = b"{}\n".to_vec();
    lines.extend(vec![b'\n'; 6 << 20]);
    let small = pack(&bomb("a.xml"), DEFLATED);
    let many: Vec<_> = (0..50)
        .map(|at| (format!("{at}.zip"), small.clone()))
        .collect();
    let cases = [
        ("a.zip", small.clone()),
        ("b.zip", pack_streamed(&bomb("a.xml"))),
        ("c.zip", pack(&bomb("a.ndjson"), DEFLATED)),
        ("d.zip", pack(&many, CompressionMethod::Stored)),
        ("e.xml.gz", gzip(&zeros)),
        (
            "f.zip",
            pack(&[("a.gz".to_owned(), gzip(&zeros))], DEFLATED),
        ),
        ("g.ndjson.gz", gzip(&lines)),
        ("h.zip", pack(&[("a.ndjson".to_owned(), lines)], DEFLATED)),
    ];
    for (name, bytes) in cases {
        let before = Instant::now();
        let faults: Vec<_> = of_bytes(name, bytes).filter_map(Result::err).collect();
        let took = before.elapsed();
        assert_eq!(faults.len(), 1, "{name}: {faults:?}");
        assert_eq!(faults[0].code, Code::ZipBomb, "{name}");
        assert!(faults[0].detail.ends_with("what follows is not read"));
        assert!(took < Duration::from_secs(1), "{name}: {took:?}");
    }
}

#[test]
fn folders_are_walked_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("b/deep")).unwrap();
    fs::create_dir_all(path("a")).unwrap();
    for name in [
        "b/deep/1.xml",
        "b/2.GSN",
        "c.zip",
        "a/x.json",
        "a/README.md",
        "d.png",
        "noext",
    ] {
        let bytes = match name {
            "c.zip" => pack(&files(2), DEFLATED),
            "a/x.json" => b"{}".to_vec(),
            _ => xml(1).into_bytes(),
        };
        fs::write(path(name), bytes).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), path("b/back")).unwrap();
    let label = |name: &str| path(name).display().to_string();
    let found = names(Documents::of_paths([folder.path().to_owned()]));
    let expected = [
        "a/x.json",
        "b/2.GSN",
        "b/deep/1.xml",
        "c.zip/2006/1.xml",
        "c.zip/2006/2.xml",
    ];
    assert_eq!(found, expected.map(label));
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"J\xf6rg.xml");
        fs::write(folder.path().join("b/deep").join(name), xml(1)).unwrap();
        let found = names(Documents::of_paths([path("b")]));
        assert_eq!(found[2], label("b/deep/J\u{fffd}rg.xml"));
    }
    // What is named is read, or refused with a reason.
    let named = ["noext", "a/README.md", "missing.xml"].map(path);
    fs::write(path("a/README.md"), "no game").unwrap();
    let read = read_all(Documents::of_paths(named));
    let missing = label("missing.xml");
    let readme = label("a/README.md");
    let expected = [
        (readme.as_str(), 1, Code::UnknownFormat),
        (missing.as_str(), 1, Code::Unreadable),
    ];
    assert_eq!(rejections(&read), expected);
    assert_eq!(read.len(), 3);
    assert_eq!(
        names(Documents::of_paths(Vec::<PathBuf>::new())),
        Vec::<String>::new()
    );
}
