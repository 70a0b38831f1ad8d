//! Other agents, and the end of the gate.

use super::check;

#[test]
fn what_starts_an_agent_or_ends_the_gate() {
    check(
        r#"
        claude => ~all
        claude --version => ok
        claude -p 'do it' => ~all
        claude -p --settings '{"disableAllHooks":true}' 'do it' => NEVER, ~all
        claude --settings='{"disableAllHooks":true}' => NEVER, ~all
        claude --settings other.json -p x => ?, ~all
        claude --settings "$x" => ?, ~all
        claude --settings '{"model":"x"}' => ~all
        claude --dangerously-skip-permissions => NEVER, ~all
        claude --permission-mode bypassPermissions => NEVER, ~all
        claude --permission-mode=bypassPermissions => NEVER, ~all
        claude --setting-sources user => NEVER, ~all
        claude --bare => NEVER, ~all
        claude $x => ?, ~all
        claude -p 'do not use --yolo please' => ~all
        codex exec --dangerously-bypass-hook-trust -s danger-full-access x => NEVER, ~all
        codex exec x => ~all
        codex -s danger-full-access => NEVER, ~all
        codex --sandbox=danger-full-access => NEVER, ~all
        codex --full-auto x => NEVER, ~all
        codex -a never => NEVER, ~all
        codex -c approval_policy=never x => NEVER, ~all
        codex -c model=x y => ~all
        gemini --yolo => NEVER, ~all
        gemini -y x => NEVER, ~all
        gemini --approval-mode yolo => NEVER, ~all
        gemini --approval-mode=yolo => NEVER, ~all
        gemini -p x => ~all
        qwen -y => NEVER, ~all
        copilot --allow-all-tools => NEVER, ~all
        aider --yes-always => NEVER, ~all
        cursor-agent -f x => NEVER, ~all
        /usr/local/bin/claude --dangerously-skip-permissions => NEVER, ~all
        ./claude --dangerously-skip-permissions => NEVER, ~all
        npx @openai/codex@latest --yolo => NEVER, ~all, x .
        kill 1234 => ~all
        kill -9 1234 => ~all
        kill -9 -1 => NEVER
        kill -- -1 => NEVER
        kill -s KILL -1 => NEVER
        kill -1 5 => ~all
        kill -KILL -1 => NEVER
        kill %1 => ok
        kill -l => ok
        kill -0 12 => ok
        kill 0 => ?
        kill $x => ?
        kill $(pgrep) => ?
        pkill -f gate => NEVER
        pkill bowline => NEVER
        pkill bow => NEVER
        pkill -9 bowline => NEVER
        pkill -KILL -f serve => NEVER
        pkill -SIGTERM node => ok
        pkill node => ok
        pkill -f 'npm run dev' => ok
        pkill -f 'b.wline' => NEVER
        pkill -f '[b]owline' => NEVER
        pkill -f 'node|bowl' => NEVER
        pkill -f '.*' => NEVER
        pkill -f 'vite|webpack' => ok
        pkill -f 'node.*server' => ok
        pkill -x bowline => NEVER
        pkill -u me => NEVER
        pkill => NEVER
        pkill "$x" => ?
        pkill -F pid => ?
        pkill -P 12 => ?
        pkill -fi GATE => NEVER
        killall bowline => NEVER
        killall node => ok
        killall -r 'bow.*' => NEVER
        killall -u me => NEVER
        killall -9 node => ok
        killall "$x" => ?
        killall5 => NEVER
        fuser -k x => ~all
        fuser x => ok
        bowline => ?
        bowline --version => ok
        bowline doctor => ok
        bowline tools => ok
        bowline audit show => ok
        bowline gate check => ok
        bowline skills list => ok
        bowline skills install => ?
        bowline call read_file x => ?
        bowline call => ?
        bowline undo => ?
        bowline undo x => ?
        bowline serve => ?
        bowline --config x call y => ?
        "#,
    );
}
