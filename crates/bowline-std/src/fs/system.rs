//! Whether a watcher hears of every change to the files of a file system.
//!
//! The kernel reports what this machine writes. What another machine writes into a file system that both share, or what a
//! program writes behind one that it provides itself, it does not see.

use std::path::Path;

/// Whether every change below a directory is made, and so reported, by this machine. `false` also where it is not known.
/// File systems that are mounted further down are not looked at.
pub fn reports_all_changes(directory: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        // The kernel's numbers have 32 bits; the field has more, and a sign on some machines.
        rustix::fs::statfs(directory).is_ok_and(|found| is_local((found.f_type as u64 & 0xffff_ffff) as u32))
    }
    #[cfg(target_vendor = "apple")]
    {
        rustix::fs::statfs(directory).is_ok_and(|found| found.f_flags & libc::MNT_LOCAL.cast_unsigned() != 0)
    }
    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    {
        let _ = directory;
        false
    }
}

/// Whether a file system of this number is on a disk, or in the memory, of this machine alone. The numbers are those of
/// `statfs(2)`. One that is not listed here may be shared: NFS, SMB, 9p, FUSE, which also stands for sshfs and virtiofs,
/// and those of clusters are left out on purpose.
#[cfg(target_os = "linux")]
fn is_local(number: u32) -> bool {
    matches!(
        number,
        0xef53 // ext2, ext3 and ext4
            | 0x5846_5342 // xfs
            | 0x9123_683e // btrfs
            | 0xca45_1a4e // bcachefs
            | 0x2fc1_2fc1 // zfs
            | 0xf2f5_2010 // f2fs
            | 0x3153_464a // jfs
            | 0x5265_4973 // reiserfs
            | 0x3434 // nilfs
            | 0x0102_1994 // tmpfs
            | 0x8584_58f6 // ramfs
            | 0x794c_7630 // overlayfs
            | 0x6175_6673 // aufs
            | 0xf15f // ecryptfs
            | 0x4d44 // fat
            | 0x2011_bab0 // exfat
            | 0x7366_746e // ntfs3
            | 0x482b // hfs+
            | 0xe0f5_e1e2 // erofs
            | 0x7371_7368 // squashfs
            | 0x9660 // iso9660
            | 0x1501_3346 // udf
    )
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn file_systems_that_other_machines_write_to_are_told_from_local_ones() {
        for (name, number) in [
            ("ext4", 0xef53),
            ("xfs", 0x5846_5342),
            ("btrfs", 0x9123_683e),
            ("tmpfs", 0x0102_1994),
            ("overlayfs", 0x794c_7630),
        ] {
            assert!(is_local(number), "{name}");
        }
        for (name, number) in [
            ("nfs", 0x6969),
            ("smb", 0x517b),
            ("cifs", 0xff53_4d42),
            ("smb2", 0xfe53_4d42),
            ("9p", 0x0102_1997),
            ("fuse", 0x6573_5546),
            ("ceph", 0x00c3_6400),
            ("afs", 0x5346_414f),
            ("lustre", 0x0bd0_0bd0),
            ("gfs2", 0x0116_1970),
            ("ocfs2", 0x7461_636f),
            ("vboxsf", 0x786f_4256),
            ("an unknown one", 1),
        ] {
            assert!(!is_local(number), "{name}");
        }
    }

    #[test]
    fn nothing_is_known_of_a_directory_that_is_not_there() {
        let directory = tempfile::tempdir().unwrap();
        assert!(!reports_all_changes(&directory.path().join("none")));
    }
}
