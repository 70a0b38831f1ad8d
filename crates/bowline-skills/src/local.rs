//! Whether a directory is on a disk of this machine. What is on another machine may keep a reader waiting without end.

use std::path::Path;

/// File systems whose files are here, by the numbers that the kernel gives them: ext, XFS, Btrfs, F2FS, ZFS, tmpfs,
/// overlays, squashfs and Bcachefs.
#[cfg(target_os = "linux")]
const LOCAL: [i64; 9] = [
    0xef53,
    0x5846_5342,
    0x9123_683e,
    0xf2f5_2010,
    0x2fc1_2fc1,
    0x0102_1994,
    0x794c_7630,
    0x7371_7368,
    0xca45_1a4e,
];

/// Of a path that need not be there: then its nearest directory that is. Nothing is said of file systems that are not known.
#[cfg(target_os = "linux")]
pub(crate) fn is_local(path: &Path) -> bool {
    let system = path.ancestors().find_map(|place| rustix::fs::statfs(place).ok());
    system.is_some_and(|system| LOCAL.contains(&system.f_type))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn is_local(_path: &Path) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_disk_is_not_local() {
        assert!(!is_local(Path::new("/proc/self")));
        assert!(!is_local(Path::new("/proc/self/nothing/of/the/kind")));
    }
}
