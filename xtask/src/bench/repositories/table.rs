//! The repositories, with their versions. Raising one means to look at its edits in `xtask/edits/`.

use super::{Language, Repository, Setup, Source};

/// gcc lets pass what clang refuses. With these in every command, both say the same.
macro_rules! strict_c {
    ($($flag:literal),*) => {
        &[
            "cc", "-Werror=implicit-function-declaration", "-Werror=int-conversion",
            "-Werror=incompatible-pointer-types", "-Werror=return-type", $($flag),*
        ]
    };
}

pub(in crate::bench) const REPOSITORIES: [Repository; 15] = [
    Repository {
        name: "flask",
        version: "3.1.1",
        language: Language::Python,
        source: Source::Sdist(&[
            "werkzeug==3.1.3",
            "jinja2==3.1.6",
            "markupsafe==3.0.2",
            "itsdangerous==2.2.0",
            "click==8.2.1",
            "blinker==1.9.0",
            "pytest==8.3.5",
            "asgiref==3.8.1",
        ]),
        setup: Setup::Nothing,
    },
    Repository {
        name: "httpx",
        version: "0.28.1",
        language: Language::Python,
        source: Source::Sdist(&[
            "anyio==4.9.0",
            "certifi==2025.4.26",
            "httpcore==1.0.9",
            "h11==0.16.0",
            "idna==3.10",
            "sniffio==1.3.1",
            "pytest==8.3.5",
            "click==8.2.1",
        ]),
        setup: Setup::Nothing,
    },
    Repository {
        name: "fastapi",
        version: "0.115.12",
        language: Language::Python,
        source: Source::Sdist(&[
            "starlette==0.46.2",
            "pydantic==2.11.4",
            "pydantic-core==2.33.2",
            "annotated-types==0.7.0",
            "typing-extensions==4.13.2",
            "typing-inspection==0.4.0",
            "anyio==4.9.0",
            "httpx==0.28.1",
        ]),
        setup: Setup::Nothing,
    },
    Repository {
        name: "django",
        version: "5.2.1",
        language: Language::Python,
        source: Source::Sdist(&["asgiref==3.8.1", "sqlparse==0.5.3"]),
        setup: Setup::Nothing,
    },
    Repository {
        name: "rxjs",
        version: "7.8.2",
        language: Language::TypeScript,
        source: Source::Npm(&["tslib@2.8.1"]),
        setup: Setup::TsConfig,
    },
    Repository {
        name: "zod",
        version: "4.1.12",
        language: Language::TypeScript,
        source: Source::Npm(&[]),
        setup: Setup::TsConfig,
    },
    Repository {
        name: "@tanstack/query-core",
        version: "5.76.0",
        language: Language::TypeScript,
        source: Source::Npm(&[]),
        setup: Setup::TsConfig,
    },
    Repository {
        name: "cobra",
        version: "v1.9.1",
        language: Language::Go,
        source: Source::Module("github.com/spf13/cobra"),
        setup: Setup::Nothing,
    },
    Repository {
        name: "cli",
        version: "v2.72.0",
        language: Language::Go,
        source: Source::Module("github.com/cli/cli/v2"),
        setup: Setup::Nothing,
    },
    Repository {
        name: "serde_json",
        version: "1.0.140",
        language: Language::Rust,
        source: Source::Crate,
        setup: Setup::Nothing,
    },
    Repository {
        name: "ripgrep",
        version: "14.1.1",
        language: Language::Rust,
        source: Source::Crate,
        setup: Setup::Nothing,
    },
    Repository {
        name: "tokio",
        version: "1.45.0",
        language: Language::Rust,
        source: Source::Crate,
        setup: Setup::Features("default = []", "default = [\"full\"]"),
    },
    Repository {
        name: "redis",
        version: "7.0.15",
        language: Language::C,
        source: Source::Debian("redis"),
        setup: Setup::Units {
            folders: &["src"],
            without: &["ae_"],
            command: strict_c!(
                "-std=gnu11",
                "-D_GNU_SOURCE",
                "-Ideps/hiredis",
                "-Ideps/linenoise",
                "-Ideps/lua/src",
                "-Ideps/hdr_histogram"
            ),
        },
    },
    Repository {
        name: "lua",
        version: "5.4.4",
        language: Language::C,
        source: Source::Debian("lua5.4"),
        setup: Setup::Units {
            folders: &["src"],
            without: &[],
            command: strict_c!("-std=gnu99", "-DLUA_COMPAT_5_3", "-DLUA_USE_LINUX"),
        },
    },
    // Debian takes the test framework out of fmt: nothing but three files would compile.
    Repository {
        name: "leveldb",
        version: "1.23",
        language: Language::Cpp,
        source: Source::Debian("leveldb"),
        setup: Setup::Units {
            folders: &["db", "table", "util"],
            without: &["_test.cc", "windows", "testutil.cc"],
            command: &[
                "c++",
                "-std=c++11",
                "-DLEVELDB_PLATFORM_POSIX=1",
                "-DHAVE_FDATASYNC=1",
                "-DHAVE_O_CLOEXEC=1",
                "-I.",
                "-Iinclude",
            ],
        },
    },
];
