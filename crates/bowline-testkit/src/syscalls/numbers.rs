//! The numbers of the calls that tests interrupt. Newer machines have no names for the older calls.

use std::sync::LazyLock;

use libc::c_long;

/// Those that may change what is on disk.
pub(super) static CHANGING: LazyLock<Vec<c_long>> = LazyLock::new(|| {
    let mut calls = vec![
        libc::SYS_openat,
        libc::SYS_write,
        libc::SYS_pwrite64,
        libc::SYS_writev,
        libc::SYS_fsync,
        libc::SYS_fdatasync,
        libc::SYS_renameat,
        libc::SYS_renameat2,
        libc::SYS_unlinkat,
        libc::SYS_linkat,
        libc::SYS_mkdirat,
        libc::SYS_ftruncate,
        libc::SYS_fchmod,
        libc::SYS_fchown,
        libc::SYS_fsetxattr,
        libc::SYS_flock,
    ];
    #[cfg(target_arch = "x86_64")]
    calls.extend([libc::SYS_rename, libc::SYS_unlink, libc::SYS_rmdir, libc::SYS_link, libc::SYS_mkdir]);
    calls
});

/// Those, and the ones that look at it.
pub(super) static TOUCHING: LazyLock<Vec<c_long>> = LazyLock::new(|| {
    let looking = [
        libc::SYS_openat2,
        libc::SYS_read,
        libc::SYS_getdents64,
        libc::SYS_flistxattr,
        libc::SYS_fgetxattr,
        libc::SYS_faccessat2,
        libc::SYS_statx,
        libc::SYS_newfstatat,
        libc::SYS_fstat,
    ];
    [CHANGING.as_slice(), &looking].concat()
});
