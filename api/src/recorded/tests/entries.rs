use super::archives::of_bytes;
use super::{read_all, rejections, xml};
use crate::recorded::{Code, MAX_ENTRIES};

/// How lengths and checksums stand that come behind an entry.
#[derive(Clone, Copy)]
enum Behind {
    Nothing,
    Narrow,
    Wide,
}

const STREAMED: u16 = 1 << 3;
const ENCRYPTED: u16 = 1;

/// An entry with whatever its header says. The data is stored, or deflated without being made shorter.
fn entry(name: &str, data: &[u8], flags: u16, is_deflated: bool, behind: Behind) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    let packed = if is_deflated {
        let (one, other) = (length.to_le_bytes(), (!length).to_le_bytes());
        [&[1][..], &one, &other, data].concat()
    } else {
        data.to_vec()
    };
    let mut sum = flate2::Crc::new();
    sum.update(data);
    let lengths = [packed.len(), data.len()].map(|length| u32::try_from(length).unwrap());
    let known = [sum.sum(), lengths[0], lengths[1]];
    let known = if flags & STREAMED == 0 { known } else { [0; 3] };
    let mut bytes = b"PK\x03\x04".to_vec();
    for half in [20, flags, if is_deflated { 8 } else { 0 }, 0, 0] {
        bytes.extend(half.to_le_bytes());
    }
    bytes.extend(known.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
    bytes.extend([0, 0]);
    bytes.extend(name.as_bytes());
    bytes.extend(packed);
    match behind {
        Behind::Nothing => return bytes,
        Behind::Narrow => {
            bytes.extend(b"PK\x07\x08");
            bytes.extend(sum.sum().to_le_bytes());
            bytes.extend(lengths.iter().flat_map(|length| length.to_le_bytes()));
        }
        Behind::Wide => {
            bytes.extend(b"PK\x07\x08");
            bytes.extend(sum.sum().to_le_bytes());
            let lengths = lengths.map(u64::from);
            bytes.extend(lengths.iter().flat_map(|length| length.to_le_bytes()));
        }
    }
    bytes
}

/// Where the directory would begin, which is not read.
fn archive(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = entries.concat();
    bytes.extend(b"PK\x01\x02");
    bytes.extend([0; 64]);
    bytes
}

#[test]
fn lengths_behind_an_entry_have_any_width() {
    let text = xml(1);
    // The length of 19,280 in its lower half reads as the mark of an entry.
    let long = text.clone() + &" ".repeat(0x4b50 - text.len());
    for behind in [Behind::Narrow, Behind::Wide] {
        let entries = [
            entry("a.xml", text.as_bytes(), STREAMED, true, behind),
            entry("empty.png", b"", STREAMED, true, behind),
            entry("empty/", b"", STREAMED, false, behind),
            entry("b.xml", long.as_bytes(), STREAMED, true, behind),
            entry("c.xml", text.as_bytes(), STREAMED, true, behind),
        ];
        let read = read_all(of_bytes("a.zip", archive(&entries)));
        assert_eq!(rejections(&read), []);
        assert_eq!(read.len(), 3);
    }
}

/// An entry that is not read, and has no length: what follows it is lost, and that is told.
#[test]
fn an_entry_without_an_end_is_told() {
    let text = xml(1);
    let good = entry("a.xml", text.as_bytes(), 0, true, Behind::Nothing);
    for (name, flags, is_deflated, is_told) in [
        ("notes.pdf", STREAMED, false, false),
        ("notes.pdf", STREAMED | ENCRYPTED, true, false),
        ("b.xml", STREAMED, false, true),
        ("b.xml", STREAMED | ENCRYPTED, true, true),
    ] {
        let lost = entry(name, text.as_bytes(), flags, is_deflated, Behind::Narrow);
        let bytes = archive(&[good.clone(), lost, good.clone()]);
        let read = read_all(of_bytes("a.zip", bytes));
        let mut expected = vec![("a.zip", 1, Code::DamagedArchive)];
        if is_told {
            expected.insert(0, ("a.zip/b.xml", 1, Code::UnsupportedArchive));
        }
        assert_eq!(rejections(&read), expected);
        assert!(read[0].is_ok());
    }
}

#[test]
fn an_archive_has_so_many_files_and_no_more() {
    let most = usize::try_from(MAX_ENTRIES).unwrap();
    let one = entry("a.png", b"", 0, false, Behind::Nothing);
    for (count, code) in [(most, Code::NoGame), (most + 1, Code::ArchiveTooLarge)] {
        let bytes = archive(&[one.repeat(count)]);
        let read = read_all(of_bytes("a.zip", bytes));
        assert_eq!(rejections(&read), [("a.zip", 1, code)]);
    }
}

/// Of a name the end is kept, in which the day is.
#[test]
fn the_name_of_an_entry_is_short() {
    let name = "x/".repeat(20_000) + "barrage-2007.3-1.xml";
    let bytes = archive(&[entry(&name, xml(1).as_bytes(), 0, true, Behind::Nothing)]);
    let read = read_all(of_bytes("a.zip", bytes));
    let recording = read[0].as_ref().unwrap();
    assert!(recording.file.len() < 600, "{}", recording.file.len());
    assert!(recording.finished_at.is_some());
}
