//! Programs that build and test what a project says, option by option.

mod compilers;
mod golang;
mod python;
mod rust;
mod scripts;
mod targets;

use super::{meaning, shown_word, words};
use crate::{Creates, Pin};

/// Every row of `command => core`, with how much of it must be spelt.
#[test]
fn harmless_options_are_left_out() {
    let table = "
        make -j8 test => make test ~2
        make V=1 test => make test ~2
        make test VERBOSE=1 => make test ~2
        make V=1 deploy => make deploy ~2
        make -sj 8 test => make test ~2
        make -C sub test => make test -C sub ~2
        make -f evil.mk test => make test -f evil.mk … ~all
        make --weird -j8 test => make test --weird -j8 … ~all
        npm -s run build => npm run build ~2
        npm --silent test => npm test ~2
        npm t => npm test ~2
        npm i x => npm install x ~2
        npm run -- deploy x => npm run deploy -- x ~2
        npm -- run deploy => npm run deploy … ~all
        npm runScript deploy => npm run deploy ~2
        uv -q run rm -rf x => rm -rf x … ~all
        uv -q run pytest -x => pytest ~1
        uv --config-file x run pytest => pytest … ~all
        poetry -C sub run pytest -q => pytest ~1
        npm publis => npm publish ~2
        npm --prefix web run deploy => npm run deploy --prefix web ~2
        npm --script-shell=evil run deploy => npm run deploy --script-shell=evil … ~all
        npm run build -s -- --watch => npm run build -- --watch ~2
        pnpm -r --silent test => pnpm test -r ~2
        cargo -q test => cargo test ~1
        cargo t => cargo test ~1
        cargo +nightly -q test -p x => cargo test -p x ~1
        cargo +nightly publish => cargo publish ~2
        cargo --config evil publish => cargo publish --config evil … ~all
        cargo +./evil publish => cargo publish +./evil … ~all
        rustup run nightly cargo publish => cargo publish ~2
        go test -count=1 ./... => go test ./... ~1
        go test -v -run T ./p => go test ./p -run T ~1
        go -C sub test => go test -C sub ~1
        python3 -u -m pytest -q tests => python3 -m pytest tests ~3
        python3 -mpytest => python3 -m pytest ~3
        python3 -u x.py a => python3 x.py a ~2
        pytest -xvs tests => pytest tests ~1
        uv run pytest -x => pytest ~1
        uv run --with evil pytest => pytest run --with evil … ~all
        poetry run rm -rf x => rm -rf x … ~all
        uv run ./git status => ./git status … ~all
        uv run git status => git status … ~all
        poetry run python3 x.py => python3 x.py ~2
        bundle exec rspec -f d => rspec -f d ~1
        npx -y tsc --noEmit => npx tsc --noEmit ~2
        mvn -q -B test => mvn test ~1
        node --no-warnings x.js => node x.js ~2
    ";
    let wrong: Vec<String> = table
        .lines()
        .filter_map(|row| row.trim().split_once(" => "))
        .filter_map(|(command, expected)| {
            let core = meaning(&words(command)).core;
            let found = core.map_or_else(String::new, |core| {
                let words: Vec<String> = core.words.iter().map(shown_word).collect();
                let pin = match core.pin {
                    None => String::new(),
                    Some(Pin::Words(count)) => format!(" ~{count}"),
                    Some(Pin::Everything) => " ~all".to_owned(),
                };
                format!("{}{pin}", words.join(" "))
            });
            (found != expected).then(|| format!("{command} => {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "these are something else:\n{}", wrong.join("\n"));
}

#[test]
fn what_is_made_in_a_directory_that_is_named_for_it_has_no_other_names() {
    for (command, expected) in [
        ("cmake -B build", Creates::Nothing),
        ("tsc --outDir dist", Creates::Nothing),
        ("tsc --outDir .", Creates::Anything),
        ("cargo build --target-dir ../x", Creates::Anything),
        ("python3 -m zipfile -e z.zip out", Creates::Anything),
    ] {
        let touches = meaning(&words(command)).touches;
        let made = touches.into_iter().find(|touched| touched.access == crate::Access::Write);
        assert_eq!(made.map(|touched| touched.filter.creates), Some(expected), "{command}");
    }
}
