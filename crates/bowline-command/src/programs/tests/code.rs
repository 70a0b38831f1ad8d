//! Shells, interpreters, and programs that run what a project says.

use super::{check, meaning, shown};
use crate::Word;

#[test]
fn shells_say_which_code_they_read() {
    check(
        r#"
        bash -c evil => wraps, shell [evil]
        bash -ec 'evil x' => wraps, shell [evil x]
        bash -lc evil => shell [evil]
        bash -c -x evil => wraps, shell [evil]
        bash -c -- evil => wraps, shell [evil]
        bash -c $x => ?, shell [……]
        bash -c "$x" => ?, shell […]
        bash -c => ?
        bash => <code
        sh -s => <code
        bash -s arg => <code
        bash script.sh a => ~2, r script.sh
        bash -x script.sh => ~3, r script.sh
        bash $script => ?
        bash /dev/stdin => <code
        bash - => <code
        bash -n script.sh => r script.sh
        bash --rcfile x -i => ?, ~3, r x
        bash --init-file x => ?, ~3, r x
        bash +x script.sh => ?, ~3, r script.sh
        bash --norc --noprofile -c evil => shell [evil]
        bash -O extglob -c evil => shell [evil]
        bash --version => ok
        bash5 -c evil => wraps, shell [evil]
        zsh -c evil => ~all, shell [evil]
        zsh => ~all, <code
        fish -c evil => ~all, shell [evil]
        zsh script.zsh => ~2, r script.zsh
        eval evil => wraps, shell [evil]
        eval evil x => wraps, shell [evil x]
        eval -- evil => wraps, shell [evil]
        eval $x => ?
        eval "evil $x" => ?
        . ./payload.sh => ~all, r ./payload.sh
        source x => ~all, r x
        source $x => ?
        source /dev/stdin => <code
        trap evil EXIT => shell [evil]
        trap - EXIT => ok
        trap EXIT => ok
        trap "$x" EXIT => ?, shell […]
        trap -p => ok
        "#,
    );
}

#[test]
fn interpreters_are_pinned_to_what_they_run() {
    check(
        r#"
        python3 -c 'import os' => ~all
        python3 => ~all
        python3 - => ~all
        python3 x.py a b => ~2, x x.py
        python3 -u x.py => ~3, x x.py
        python3 -m pytest -k x => ~3, x .
        python3 -mpytest => ~2, x .
        python3 -m zipfile -e z.zip prot => ~3, r z.zip, w prot/**, x .
        python3 --version => ok
        python3 -V => ok
        python3.11 -c x => ~all
        python3 $x => ~all
        python3 -i x.py => ~all
        python3 "$x" => ~all
        node -e x => ~all
        node x.js => ~2, x x.js
        node --check x.js => r x.js
        node -r m x.js => ~all
        node --version => ok
        node => ~all
        perl -e 'system("evil")' => ~all
        perl -pi -e 's/a/b/' prot/settings.json => ~all
        perl x.pl => ~2, x x.pl
        ruby -e x => ~all
        ruby x.rb => ~2, x x.rb
        php -r x => ~all
        php -l x.php => r x.php
        php x.php => ~2, x x.php
        lua x.lua => ~2, x x.lua
        java -jar x.jar => ~3, x x.jar
        java -cp a Main => ~4, x Main
        java -version => ok
        deno run -A x.ts => ~all, x .
        deno run x.ts => ~3, x .
        deno task build => ~3, x .
        deno eval x => ~all, x .
        bun run build => ~2, x .
        bun test => ~2, x .
        bun x.ts => ~2, x .
        bun -e x => ~all, x .
        osascript -e x => ~all
        vim -es -c 'e prot/x' -c wq => ~all
        ed x => ~all
        emacs --batch x => ~all
        pwsh -c x => ~all
        psql -c x => ~all
        sqlite3 db 'select 1' => r db, w db
        sqlite3 db '.shell evil' => ~all, r db, w db
        sqlite3 db => ~all, r db, w db
        sqlite3 db 'attach "x" as y' => ~all, r db, w db
        gdb -ex evil => ~all
        m4 x => ~all
        "#,
    );
}

#[test]
fn a_program_of_awk_is_read() {
    check(
        r#"
        awk '{print $1}' file => r file
        awk -F: '{print $1}' /etc/passwd => r /etc/passwd
        awk -F'|' '/a|b/ {print $1}' f => r f
        awk '$3 > 5' f => r f
        awk '$3 > 5 {print $1, $2}' f => r f
        awk '{ if ($3 > 5 || $1 == "x|y") print $1 }' f => r f
        awk '{s+=$1} END {print s/NR}' f => r f
        awk '{print (a+b)/2}' f => r f
        awk -v x="$y" '{print x}' f => r f
        awk -v x=1 '{print x > "/dev/stderr"}' f => r f
        awk 'BEGIN{system("evil")}' => ~all
        awk 'BEGIN{print "x" > "prot/settings.json"}' => ~all
        awk 'BEGIN{print "x" >> "f"}' => ~all
        awk 'BEGIN{"evil" | getline x}' => ~all
        awk 'BEGIN{print "x" | "evil"}' => ~all
        awk '{print $1 > $2}' f => ~all, r f
        awk 'BEGIN{print foo(a,b) > "x"}' => ~all
        awk '@load "x"; BEGIN{}' => ~all
        awk 'BEGIN{f="system"; @f("evil")}' => ~all
        awk -f x.awk f => ~all, r x.awk, r f
        awk -i inplace '{print}' f => ~all, r inplace, r f
        awk -l x '{print}' f => ~all, r x, r f
        awk "$x" f => ~all, r f
        awk $x f => ~all, r f
        awk 'BEGIN { if (x) /"/; system("evil") }' => ~all
        awk '/[/]/ {print}' f => ~all, r f
        gawk --version => ok
        "#,
    );
}

#[test]
fn a_script_of_sed_is_read() {
    check(
        r#"
        sed -n 5,10p file => r file
        sed 's/a/b/g' f => r f
        sed -e 's/a/b/' -e 's|c|d|g' f => r f
        sed -E 's/(a|e)/w/' f => r f
        sed '/x/d;/y/,$p' f => r f
        sed '1!G;h;$!d' f => r f
        sed ':a;N;$!ba;s/a/b/' f => r f
        sed -n '/a/,/b/{p;q}' f => r f
        sed 'a hello' f => r f
        sed '2i\text' f => r f
        sed 's/x/evil/e' => ~all
        sed '1e evil' => ~all, shell [evil]
        sed e => ~all
        sed -n 'w prot/settings.json' => w prot/settings.json
        sed 's/a/b/w prot/x' f => w prot/x, r f
        sed 's/a/b/w /dev/stdout' f => w /dev/stdout, r f
        sed 'r other' f => r other, r f
        sed -i 's/a/b/' prot/settings.json => r prot/settings.json, w prot/settings.json
        sed -i.bak 's/a/b/' f => r f, w f, w f.bak
        sed -i'' -e 's/a/b/' f => r f, w f
        sed -i '' 's/a/b/' f => r f, w f
        sed --in-place=.orig 's/a/b/' f => r f, w f, w f.orig
        sed -i*.x 's/a/b/' f => ?, r f, w f
        sed -ni '/x/p' f => r f, w f
        sed -f script f => ~all, r script, r f
        sed "s/$a/b/" f => ~all, r f
        sed 's/a/b/' "$f" => ?, r …
        sed 's/a/b/' src/$f => ?, r src/……
        sed 's/a/b/' *.txt => r ……
        sed 's/a/b/' src/*.txt => r src/……
        sed -i 's/a/b/' src/*.txt => r src/……, w src/……
        sed 's/[/]/x/' f => ~all, r f
        sed 's/a/b/;}' f => r f
        sed 'Q5' f => r f
        sed --version => ok
        sed --expr=e f => ~all, r f
        sed -s -n '$=' f => r f
        sed y/abc/def/ f => r f
        sed 's,a,b,;s/x/y/gI;p' f => r f
        "#,
    );
}

#[test]
fn what_a_project_says_must_be_spelt() {
    check(
        r#"
        make => ~1, x .
        make test => ~2, x .
        make -j4 test => ~3, x .
        make test deploy => ~3, x .
        make -f mk => ~all, x .
        make -C dir test => ~4, x ., cd dir
        make test VAR=x => ~all, x .
        make --eval=x test => ~all, x .
        make --version => ok
        make "$x" => ~all, x .
        make test -n => ~2, x .
        ninja => ~1, x .
        ninja -C build => ~1, x ., cd build
        ninja test => ~2, x .
        just build => ~2, x .
        cmake --build build => ~3, x build, x .
        cmake -P x.cmake => ~all, x x.cmake, x .
        npm test => ~2, x .
        npm run build => ~2, x .
        npm run build -- --watch => ~2, x .
        npm run => ~2, x .
        npm --prefix x run build => ~4, x x, x .
        npm ls => ok
        npm install => ~2, x .
        npm install foo => ~2, x .
        npm exec -c evil => ~all, shell [evil], x .
        npm run --silent build => ~2, x .
        npx eslint . => ~2, x ., r ./**
        npx -y foo => ~3, x .
        npx -c evil => ~all, shell [evil], x .
        npx @anthropic-ai/claude-code --dangerously-skip-permissions => NEVER, ~all, x .
        yarn => ~1, x .
        yarn build => ~2, x .
        yarn run build => ~2, x .
        pnpm -r run build => ~3, x .
        pnpm dlx foo => ~3, x .
        bunx foo => ~2, x .
        cargo test => ~1, x .
        cargo test -p x -- --nocapture => ~1, x .
        cargo --config x test => ~all, x .
        cargo test --config x => ~all, x .
        cargo test --manifest-path x => ~1, x x, x .
        cargo +nightly test => ~1, x .
        cargo metadata => x .
        cargo tree => x .
        cargo --version => x .
        cargo fmt => ~1, x .
        cargo fmt --check => x .
        cargo fmt -- --check => x .
        cargo run --bin x => ~1, x .
        cargo xtask codegen => ~2, x .
        cargo build --target-dir prot => ~1, w prot/**, x .
        cargo => x .
        go test ./... => ~1, x .
        go run ./cmd/x => ~2, x ./cmd/x, x .
        go build -o prot/x => ~1, w prot/x, x .
        go version => ok
        go test -exec evil => ~all, shell [evil], x .
        go vet ./... => ~1, x .
        mvn test => ~1, x .
        mvn -f x test => ~all, x .
        gradle build => ~1, x .
        ./gradlew test => ~1, x .
        pytest => ~1, x .
        pytest tests/ => ~1, x tests/, x .
        pytest -k foo -x => ~1, x .
        pytest -p evil => ~all, x .
        pytest --rootdir x => ~1, x x, x .
        tox -e py => ~1, x .
        uv run pytest => ~3, x .
        uv pip install x => ~3, x .
        poetry run pytest => ~3, x .
        pip install x => ~2, x .
        pip list => ok
        bundle exec rspec => ~3, x .
        terraform apply => ~all
        eslint src => ~1, r src/**, x src, x .
        eslint -c x src => ~1, x x, r src/**, x src, x .
        tsc --noEmit => ~1, x .
        tsc --outDir prot => ~1, w prot/**, x .
        jest --config x => ~1, x x, x .
        gcc a.c -o b => ~1, r a.c, w b
        apt list => ok
        apt-get install x => ~all
        brew install x => ~all
        nix run x => ~all
        gh pr view 1 => ok
        gh pr create => ~3
        gh api x => ok
        gh api repos/a/b/pulls/1/comments --paginate -q .[].body => ok
        deno eval x y => ~all, x .
        cmake --build build -j 4 => ~3, x build, x .
        cmake --build build --target x => ~3, x build, x .
        tsc --noEmit -w => ~1, x .
        python3 -m pytest --rootdir x => ~3, x x, x .
        "#,
    );
}

/// What stands on several lines does not fit into a table.
#[test]
fn lines_of_awk_and_sed_are_told_apart() {
    let meaning_of = |program: &str, code: &str| {
        let words = [program, code, "f"].map(|word| Word::Literal(word.to_owned()));
        shown(&meaning(&words))
    };
    for (program, code, expected) in [
        ("awk", "# system(\"evil\")\n{ print }", "r f"),
        ("awk", "{ print foo(a,\n b) > \"x\" }", "~all, r f"),
        ("awk", "{ print a,\n b > \"x\" }", "~all, r f"),
        ("awk", "{ print a }\n$1 > 2", "r f"),
        ("awk", "{ print \"a\n\" }", "~all, r f"),
        ("awk", "/[]/|\"]/ { print }", "~all, r f"),
        ("awk", "{ print \\\n > \"x\" }", "~all, r f"),
        ("sed", "a\\\nw prot/x\np", "r f"),
        ("sed", "a text\nw prot/x", "w prot/x, r f"),
        ("sed", "s/a/b/\n1e evil", "~all, shell [evil], r f"),
        ("sed", "s/a\\/e/b/;w prot/x", "w prot/x, r f"),
        ("sed", "s|[|]|x|e", "~all, r f"),
        ("sed", "y/w/e/;p", "r f"),
        ("sed", "/w prot/p", "r f"),
    ] {
        assert_eq!(meaning_of(program, code), expected, "`{program} '{code}'`");
    }
}
