//! Compressing, and undoing it to what a stranger has sent: within bounds, and exactly one stream.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};

use crate::StoreError;

const CHUNK: usize = 64 << 10;

/// How much is read and written before it is called too large. A few kilobytes can unpack to gigabytes.
pub(crate) struct Bounds {
    pub(crate) packed: u64,
    pub(crate) unpacked: u64,
    /// How many times larger the output may be than the input.
    pub(crate) ratio: u64,
    /// Below this size the ratio does not count: a small file may well be all alike.
    pub(crate) unsuspicious: u64,
}

/// The same input gives the same output: no time and no name is written.
pub(crate) fn pack(from: &mut dyn Read, to: &mut dyn Write) -> io::Result<()> {
    let mut encoder = GzBuilder::new().mtime(0).operating_system(255).write(to, Compression::default());
    io::copy(from, &mut encoder)?;
    encoder.finish()?.flush()
}

/// `path` is where `to` is, for errors.
pub(crate) fn unpack(
    from: &mut dyn Read,
    to: &mut dyn Write,
    path: &Path,
    bounds: &Bounds,
) -> Result<(), StoreError> {
    let counted = Counted { from, count: 0, failed: false, most: bounds.packed };
    let mut decoder = GzDecoder::new(BufReader::with_capacity(CHUNK, counted));
    let mut chunk = vec![0; CHUNK];
    let mut unpacked = 0;
    loop {
        let read = match decoder.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(decoder.get_ref().get_ref().explain(error)),
        };
        unpacked += read as u64;
        let packed = decoder.get_ref().get_ref().count;
        if unpacked > bounds.unpacked {
            return Err(StoreError::TooLarge(format!("more than {} bytes unpacked", bounds.unpacked)));
        }
        if unpacked > bounds.unsuspicious && unpacked > packed.saturating_mul(bounds.ratio) {
            return Err(StoreError::TooLarge(format!("{packed} bytes unpack to more than {unpacked}")));
        }
        to.write_all(&chunk[..read]).map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
    }
    let mut rest = decoder.into_inner();
    match rest.fill_buf().map(<[u8]>::is_empty) {
        Ok(true) => Ok(()),
        Ok(false) => Err(StoreError::NotACache("something follows its end".into())),
        Err(error) => Err(rest.get_ref().explain(error)),
    }
}

/// The first bytes of what is packed, as far as there are so many, of what may be anything.
pub(crate) fn beginning(from: &mut dyn Read, most: usize) -> Vec<u8> {
    // However little it says: a stream of empty blocks may go on for ever.
    let mut decoder = GzDecoder::new(BufReader::with_capacity(CHUNK, from.take(CHUNK as u64)));
    let mut head = vec![0; most];
    let mut length = 0;
    while length < most {
        match decoder.read(&mut head[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    head.truncate(length);
    head
}

/// Knows how much was read, and whether it was the reading that failed.
struct Counted<'a> {
    from: &'a mut dyn Read,
    count: u64,
    most: u64,
    failed: bool,
}

impl Counted<'_> {
    fn explain(&self, error: io::Error) -> StoreError {
        if self.count > self.most {
            StoreError::TooLarge(format!("more than {} bytes", self.most))
        } else if self.failed {
            StoreError::Read(error)
        } else {
            StoreError::NotACache(error.to_string())
        }
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A stream of empty blocks has no output that would ever be too large.
        if self.count > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        match self.from.read(buffer) {
            Ok(read) => {
                self.count += read as u64;
                Ok(read)
            }
            Err(error) => {
                self.failed = error.kind() != io::ErrorKind::Interrupted;
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { packed: 1 << 20, unpacked: 1 << 20, ratio: 100, unsuspicious: 10_000 };

    fn packed(content: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        pack(&mut &*content, &mut packed).unwrap();
        packed
    }

    fn unpacked(mut bytes: impl Read) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        let done = unpack(&mut bytes, &mut out, Path::new("out"), &BOUNDS);
        done.map(|()| out).map_err(|error| format!("{error:?}"))
    }

    #[test]
    fn the_header_has_no_time_and_no_name() {
        let bytes = packed(b"text");
        assert_eq!(bytes[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
        assert_eq!(unpacked(&*bytes).unwrap(), b"text");
        assert_eq!(bytes, packed(b"text"));
    }

    #[test]
    fn a_beginning_is_all_that_is_read() {
        assert_eq!(beginning(&mut &*packed(b"some text"), 4), b"some");
        assert_eq!(beginning(&mut &*packed(b"so"), 4), b"so");
        for other in [&b""[..], b"text", &packed(b"text")[..10]] {
            assert_eq!(beginning(&mut &*other, 4), b"");
        }
        let head: &[u8] = &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        let block: Vec<u8> = [0, 0, 0, 0xff, 0xff].repeat(100_000);
        assert_eq!(beginning(&mut head.chain(&*block), 4), b"");
    }

    #[test]
    fn one_stream_and_nothing_after_it() {
        let twice = [packed(b"one"), packed(b"two")].concat();
        let junk = [packed(b"one"), b"\0".to_vec()].concat();
        for bytes in [twice, junk] {
            assert_eq!(unpacked(&*bytes).unwrap_err(), r#"NotACache("something follows its end")"#);
        }
    }

    #[test]
    fn a_bomb_is_refused_by_ratio_and_by_size() {
        let said = unpacked(&*packed(&vec![0; 900_000])).unwrap_err();
        assert!(said.starts_with("TooLarge") && said.contains("unpack to more than"), "{said}");
        let noise: Vec<u8> =
            (0..1_200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert_eq!(
            unpacked(&*packed(&noise)).unwrap_err(),
            r#"TooLarge("more than 1048576 bytes unpacked")"#
        );
    }

    #[test]
    fn endless_empty_blocks_end() {
        let head: &[u8] = &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        let blocks = [0, 0, 0, 0xff, 0xff].repeat(400_000);
        assert_eq!(unpacked(head.chain(&*blocks)).unwrap_err(), r#"TooLarge("more than 1048576 bytes")"#);
        assert_eq!(unpacked(head.chain(io::repeat(0))).unwrap_err().split('(').next(), Some("NotACache"));
    }

    #[test]
    fn a_reader_that_fails_is_not_blamed_on_the_file() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the cable"))
            }
        }
        let bytes = packed(b"some text");
        assert!(unpacked((&bytes[..12]).chain(Broken)).unwrap_err().starts_with("Read("));
    }
}
