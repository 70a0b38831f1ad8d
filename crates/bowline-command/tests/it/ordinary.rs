//! What people write every day is read without a doubt.

use crate::read;

#[rustfmt::skip]
const TEXTS: &[&str] = &[
    r"git status",
    r"git log --oneline -20 | head -5",
    r"git diff HEAD~1 -- src/lib.rs",
    r#"git commit -m "fix: it's done""#,
    r#"git commit -qm "$(cat <<'EOF'
msg with $(evil)
EOF
)""#,
    r"git log --grep='$(evil)'",
    r"echo 'x; evil'",
    r"git log > /dev/null 2>&1",
    r"cat <<'EOF'
$(evil)
`evil`
EOF",
    r"echo $((1+2))",
    r"git log --format='%h | %s; %an'",
    r"echo \$\(evil\)",
    r"echo evil",
    r#"echo "$evil""#,
    r#"echo "${x:-evil}""#,
    r"mkdir -p src/{a,b,c}/tests",
    r"cp file.{txt,bak}",
    r"touch file{1..3}.txt",
    r"ls -la | grep -v '^d' | awk '{print $9}' | sort -u",
    r"find . -name '*.rs' -not -path './target/*' | xargs wc -l",
    r"cargo test --workspace 2>&1 | tail -n 30",
    r"cargo build --release && ./target/release/app --help",
    r"npm run build && npm test -- --watch=false",
    r"cd crates/foo && cargo check",
    r"(cd sub && make test)",
    r#"for f in *.txt; do echo "$f"; done"#,
    r#"for f in $(git ls-files); do wc -l "$f"; done"#,
    r"for i in 1 2 3; do echo $i; done",
    r#"for i in {1..5}; do echo "$i"; done"#,
    r#"while read -r line; do echo "$line"; done < input.txt"#,
    r#"while IFS= read -r line; do echo "$line"; done < input.txt"#,
    r"if [ -f Cargo.toml ]; then cat Cargo.toml; else echo none; fi",
    r#"if [[ -n "$FOO" && "$FOO" != bar ]]; then echo yes; fi"#,
    r"if ! grep -q foo bar.txt; then echo missing; fi",
    r"test -d target || mkdir target",
    r#"[ "$a" = "$b" ] && echo same"#,
    r"[[ $a =~ ^[0-9]+$ ]] && echo number",
    r#"[[ "$a" == *.rs ]] || echo no"#,
    r#"case "$1" in start) echo start;; stop|halt) echo stop;; *) echo usage;; esac"#,
    r#"echo "today is $(date +%F)""#,
    r#"echo "lines: $(wc -l < file.txt)""#,
    r#"x=$(git rev-parse HEAD); echo "$x""#,
    r"RUST_LOG=debug cargo run",
    r#"FOO=bar BAZ="a b" ./script.sh"#,
    r"export FOO=bar",
    r"sed -n '1,20p' src/main.rs",
    r"sed -e 's/a/b/' -e 's/c/d/g' file",
    r#"grep -rn "fn main" --include='*.rs' . | head"#,
    r"rg -n 'foo\|bar' src | cut -d: -f1 | uniq -c",
    r"diff <(sort a) <(sort b)",
    r"tar -czf out.tar.gz src docs",
    r"curl -s https://example.com/x.json | jq '.items[] | {name, id}'",
    r#"echo "a" > out.txt; cat out.txt"#,
    r#"echo "a" >> out.txt 2>&1"#,
    r"ls 2>/dev/null || true",
    r"make -j4 2>&1 | tee build.log",
    r#"python3 -c 'print("hi")'"#,
    r"python3 - <<'PY'
import sys
print(sys.argv)
PY",
    r"cat > notes.md <<'EOF'
# Title

- it's `code` and $dollar
EOF",
    r#"cat <<EOF > conf.toml
name = "x"
EOF"#,
    r"cat <<EOF
hello $USER, ${HOME}
EOF",
    r"true && false || echo end",
    r"sleep 1 & wait",
    r"nohup ./server > server.log 2>&1 &",
    r"set -euo pipefail; cargo test",
    r"set -e
cargo fmt
cargo clippy -- -D warnings",
    r"f() { echo hi; }; f",
    r#"greet() {
  echo "hello $1"
}
greet world"#,
    r#"echo "multi
line""#,
    r"echo one; echo two # a comment",
    r"# only a comment
ls",
    r"ls \\
  -l \\
  -a",
    r#"git log --pretty=format:"%h %s" --since="2 weeks ago""#,
    r"git stash show -p stash@{0}",
    r"git show HEAD@{1} HEAD^ HEAD^{tree}",
    r#"docker run --rm -v "$PWD":/src -w /src rust:1 cargo test"#,
    r#"jq -r '.a | select(.b == "c") | "\\(.d)"' f.json"#,
    r"awk -F, 'NR>1 && $3 > 5 {s+=$3} END {print s}' data.csv",
    r"printf '%s
' a b c",
    r#"printf "%d items
" 3"#,
    r#"read -r a b <<< "x y""#,
    r"time cargo build",
    r"! git diff --quiet",
    r#"echo $HOME ~ ~/x "$PWD""#,
    r#"arr=(a b c); echo "${arr[@]}" "${#arr[@]}" "${arr[0]}""#,
    r#"name=foo; echo "${name^^} ${name%.txt} ${name##*/} ${name/o/0}""#,
    r#"echo "${PATH//:/ }""#,
    r#"i=0; while [ "$i" -lt 3 ]; do i=$((i+1)); done"#,
    r"kill %1; wait",
    r"ls *.{rs,toml}",
    r"ssh host 'cd /srv && ls'",
    r#"node -e "console.log(1)""#,
    r"until curl -sf localhost:8080; do sleep 1; done",
    r"{ echo a; echo b; } > out.txt",
    r"(echo a; echo b) | sort",
    r"git add -A && git commit -m 'x' && git push",
    r"go test ./... -run 'TestX|TestY' -count=1",
    r#"echo "a b" | tr ' ' '
' | sort | uniq"#,
    r#"pytest -k "not slow" tests/"#,
    r"cat file | while read l; do echo $l; done",
    r#"echo "done!" ; echo 'it'"'"'s'"#,
    r#"echo "quote \" and \\ and \$x and \`tick\`""#,
    r"ls -l $(which cargo)",
    r"echo `date`",
    r"GIT_PAGER=cat git log",
    r"git -c color.ui=always log | less -R",
    r"export PATH",
    r"command -v cargo >/dev/null 2>&1 && echo yes",
    r"source .env",
    r#"x="a b"; for w in $x; do echo $w; done"#,
    r"find . -type f -exec grep -l foo {} +",
    r"find . -name '*.tmp' -delete",
    r"find . \( -name a -o -name b \) -print",
    r"xargs -I{} echo {} < list",
    r"echo a >&2",
    r"exec cargo run",
    r"[ $# -gt 0 ] && echo args",
    r"[ $? -eq 0 ] && echo ok",
    r"if (( 3 > 2 )); then echo yes; fi",
    r"let x=1+2",
    r"local x=1",
    r"cat <<-EOF
	indented
	EOF",
    r#"echo "$(basename "$(pwd)")""#,
    r#"echo "${x:-default}" "${y:?missing}""#,
    r"trap 'rm -f tmp' EXIT",
];

#[test]
fn ordinary_commands_leave_no_doubt() {
    let doubted: Vec<String> = TEXTS
        .iter()
        .map(|text| (text, read(text)))
        // What programs do with their words is another table's business.
        .filter(|(_, script)| !script.is_readable())
        .map(|(text, script)| format!("{text}: {:?}", script.doubts))
        .collect();
    assert_eq!(doubted, Vec::<String>::new());
}
