//! The protected places: one line for each, with the reason that a refusal gives.
//!
//! A place is one name or several in a row, wherever below a root they stand, and everything below them. `*` at one end
//! of a name stands for any text. Capital letters do not matter.
//!
//! Left out on purpose, because they are the project's own content, which people ask agents to change: what runs
//! elsewhere (`.github/workflows`, `.gitlab-ci.yml`), what a person starts (`Makefile`, `.pre-commit-config.yaml`,
//! `.devcontainer`), what a build or a test runs (`build.rs`, `package.json`, `conftest.py`, and the settings of test programs
//! in `pyproject.toml`, `pytest.ini`, `jest.config.js`), `.gitignore`, `.gitattributes`, `.gitmodules`, and plain
//! instructions (`CLAUDE.md`, `AGENTS.md`, `.cursorrules`). An entry that allows `cargo` or `pytest` trusts the code of the
//! project, and this is code of the project; what a command runs elsewhere is asked about, as code that was not judged.
//! A file that chooses *which program* `cargo` is (`rust-toolchain.toml` may name a directory), or what the wrapper of a build
//! downloads and starts, is a door all the same: it runs whatever is asked of the program, a version among it.

/// Why nothing is written there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guards {
    /// Whoever writes there can have programs run, or other rules apply.
    Doors,
    /// A program makes it, and makes it again.
    Generated,
}

#[derive(Debug)]
pub(super) struct Place {
    pub(super) names: &'static str,
    pub(super) guards: Guards,
    pub(super) why: &'static str,
}

const fn door(names: &'static str, why: &'static str) -> Place {
    Place { names, guards: Guards::Doors, why }
}

const fn made(names: &'static str, why: &'static str) -> Place {
    Place { names, guards: Guards::Generated, why }
}

pub(super) const PLACES: &[Place] = &[
    // Version control.
    door(".git", "git keeps its history there, and runs hooks and programs that are named there"),
    door("git~1", "that is the short name of `.git` on some file systems"),
    door(".bare", "it is the usual name of the git directory beside worktrees"),
    door(".hg", "Mercurial keeps its history there, and runs hooks that are named there"),
    door(".svn", "Subversion keeps its state there"),
    door(".jj", "Jujutsu keeps its history there"),
    door(".husky", "git hooks that run at the next commit are there"),
    // bowline itself.
    door("bowline.toml", "it holds the rules that bowline follows"),
    door(".bowline", "it belongs to bowline"),
    // Hosts: settings, hooks, lists of MCP servers, and skills, whose commands run when they are loaded.
    door(".claude", "Claude Code's settings, hooks, skills, commands and agents run programs"),
    door(".claude.json", "Claude Code's list of MCP servers, which it starts"),
    door(".mcp.json", "hosts start the MCP servers that are listed there"),
    door(".codex", "Codex's settings, hooks and MCP servers are there"),
    door(".gemini", "Gemini CLI's settings turn its hooks off and name the MCP servers it starts"),
    door(".qwen", "Qwen Code's settings turn its hooks off and name the MCP servers it starts"),
    door(".cursor", "Cursor's hooks and MCP servers are there"),
    door(".opencode", "opencode loads the plugins that are there"),
    door("opencode.json", "opencode's permissions, plugins and MCP servers are there"),
    door("opencode.jsonc", "opencode's permissions, plugins and MCP servers are there"),
    door(".github/hooks", "Copilot CLI runs the hooks that are there"),
    door(".copilot", "Copilot's settings and MCP servers are there"),
    door(".agents/skills", "hosts load skills from there, and run the commands in them"),
    door(".pi", "Pi's settings and extensions are there"),
    door(".windsurf", "Windsurf's settings, hooks and MCP servers are there"),
    door(".codeium", "Windsurf's settings and MCP servers are there"),
    door(".continue", "Continue's settings and MCP servers are there"),
    door(".aider*", "aider runs the commands that its settings name"),
    door(".roo", "Roo Code's settings and MCP servers are there"),
    door(".cline", "Cline's settings and MCP servers are there"),
    door(".clinerules/hooks", "Cline runs the hooks that are there"),
    door(".kiro", "Kiro's hooks and MCP servers are there"),
    door(".amazonq", "Amazon Q's agents, hooks and MCP servers are there"),
    door(".junie", "Junie's settings and MCP servers are there"),
    door(".goose", "goose's settings and extensions are there"),
    door(".crush", "Crush's state is there"),
    door("crush.json", "Crush starts the programs that its settings name"),
    door(".crush.json", "Crush starts the programs that its settings name"),
    // Editors run what their settings name, most of them when the folder is opened.
    door(".vscode/settings.json", "it names programs that VS Code runs"),
    door(".vscode/tasks.json", "VS Code runs tasks, some of them when the folder is opened"),
    door(".vscode/launch.json", "it names programs that VS Code runs"),
    door(".vscode/mcp.json", "VS Code starts the MCP servers that are listed there"),
    door("*.code-workspace", "it holds settings and tasks that VS Code runs"),
    door(".zed", "Zed's settings and tasks name programs that it runs"),
    door(".idea", "JetBrains IDEs run the configurations and watchers that are there"),
    door(".envrc", "direnv runs it in every shell that enters the directory"),
    // Package managers, which language servers and editors start by themselves.
    door(".cargo/config.toml", "it names the wrappers, linkers and runners that cargo starts"),
    door(".cargo/config", "it names the wrappers, linkers and runners that cargo starts"),
    door("rust-toolchain.toml", "it may name a directory whose programs run in place of cargo and rustc"),
    door("rust-toolchain", "it may name a directory whose programs run in place of cargo and rustc"),
    door(
        ".mvn",
        "it names the extensions and the Java options that Maven starts with, and where its wrapper comes from",
    ),
    door("gradle/wrapper", "it names where Gradle comes from, and holds the program that fetches it"),
    door(".npmrc", "it names the shell, the git and the node options that npm works with"),
    door(".yarnrc", "it names the program that is run in place of Yarn"),
    door(".yarnrc.yml", "it names the program that is run in place of Yarn, and its plugins"),
    door(".yarn/releases", "the program that is run in place of Yarn is there"),
    door(".yarn/plugins", "Yarn loads the plugins that are there"),
    door(".pnpmfile.cjs", "pnpm runs it at every install"),
    door(".pnpmfile.mjs", "pnpm runs it at every install"),
    // Dependencies and what tools leave behind.
    made("node_modules", "a package manager fills it from the lock file"),
    made("bower_components", "a package manager fills it"),
    made("vendor/bundle", "Bundler fills it from the lock file"),
    made("vendor/cache", "Bundler fills it from the lock file"),
    made("site-packages", "a package manager fills it"),
    made(".venv", "it is a virtual environment, which a package manager fills"),
    made(".tox", "tox makes it"),
    made(".nox", "nox makes it"),
    made("__pycache__", "Python makes it"),
    made("*.egg-info", "a build of the package makes it"),
    made(".mypy_cache", "mypy makes it"),
    made(".pytest_cache", "pytest makes it"),
    made(".ruff_cache", "ruff makes it"),
    made(".gradle", "Gradle makes it"),
    made(".next", "a build of Next.js makes it"),
    made(".nuxt", "a build of Nuxt makes it"),
    made(".svelte-kit", "a build of SvelteKit makes it"),
    made(".turbo", "Turborepo makes it"),
    made(".parcel-cache", "Parcel makes it"),
    made(".yarn/cache", "Yarn fills it"),
    made(".pnp.cjs", "Yarn makes it"),
    made(".pnp.loader.mjs", "Yarn makes it"),
    made(".terraform", "Terraform fills it"),
    made(".dart_tool", "Dart's tools make it"),
    made(".stack-work", "Stack makes it"),
    made("dist-newstyle", "cabal makes it"),
    made("elm-stuff", "Elm makes it"),
    // Lock files: the package manager writes them from the manifest.
    made("cargo.lock", "cargo writes it from Cargo.toml"),
    made("package-lock.json", "npm writes it from package.json"),
    made("npm-shrinkwrap.json", "npm writes it from package.json"),
    made("yarn.lock", "Yarn writes it from package.json"),
    made("pnpm-lock.yaml", "pnpm writes it from package.json"),
    made("bun.lock", "Bun writes it from package.json"),
    made("bun.lockb", "Bun writes it from package.json"),
    made("deno.lock", "Deno writes it"),
    made("poetry.lock", "Poetry writes it from pyproject.toml"),
    made("uv.lock", "uv writes it from pyproject.toml"),
    made("pdm.lock", "PDM writes it from pyproject.toml"),
    made("pixi.lock", "pixi writes it from its manifest"),
    made("pipfile.lock", "Pipenv writes it from Pipfile"),
    made("go.sum", "go writes it from go.mod"),
    made("go.work.sum", "go writes it from go.work"),
    made("gemfile.lock", "Bundler writes it from Gemfile"),
    made("composer.lock", "Composer writes it from composer.json"),
    made("packages.lock.json", "NuGet writes it from the project file"),
    made("paket.lock", "Paket writes it from paket.dependencies"),
    made("gradle.lockfile", "Gradle writes it from the build file"),
    made("mix.lock", "mix writes it from mix.exs"),
    made("rebar.lock", "rebar3 writes it from rebar.config"),
    made("pubspec.lock", "Dart's pub writes it from pubspec.yaml"),
    made("podfile.lock", "CocoaPods writes it from Podfile"),
    made("package.resolved", "SwiftPM writes it from Package.swift"),
    made("cartfile.resolved", "Carthage writes it from Cartfile"),
    made("conan.lock", "Conan writes it from the recipe"),
    made("flake.lock", "Nix writes it from flake.nix"),
    made("module.bazel.lock", "Bazel writes it from MODULE.bazel"),
    made(".terraform.lock.hcl", "Terraform writes it"),
    made("stack.yaml.lock", "Stack writes it from stack.yaml"),
    made("shard.lock", "Shards writes it from shard.yml"),
];

/// The first place that the path lies in, or that it is. The names are folded.
pub(super) fn holding<S: AsRef<str>>(path: &[S]) -> Option<&'static Place> {
    let path = checkout(path);
    PLACES.iter().find(|place| {
        let width = place.names.split('/').count();
        path.windows(width).any(|window| {
            window.iter().zip(place.names.split('/')).all(|(name, pattern)| fits(name.as_ref(), pattern))
        })
    })
}

/// Whether the path is a door itself, and does not merely lie in one.
pub(super) fn ends_with_door<S: AsRef<str>>(path: &[S]) -> bool {
    let path = checkout(path);
    PLACES.iter().filter(|place| place.guards == Guards::Doors).any(|place| {
        let width = place.names.split('/').count();
        path.windows(width).last().is_some_and(|end| {
            end.iter().zip(place.names.split('/')).all(|(name, pattern)| fits(name.as_ref(), pattern))
        })
    })
}

/// Claude Code puts whole checkouts into `.claude/worktrees/NAME`: what is in one is judged like any checkout.
fn checkout<S: AsRef<str>>(path: &[S]) -> &[S] {
    let is_worktree = |at: &usize| {
        matches!(path.get(at - 3..*at), Some([dir, kind, _])
            if dir.as_ref() == ".claude" && kind.as_ref() == "worktrees")
    };
    let begins = (3..path.len()).rev().find(is_worktree).unwrap_or(0);
    path.get(begins..).unwrap_or(path)
}

fn fits(name: &str, pattern: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (_, Some(start)) => name.starts_with(start),
        (None, None) => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_written_folded_and_says_why() {
        for place in PLACES {
            assert_eq!(place.names, place.names.to_lowercase());
            assert!(!place.why.is_empty() && !place.names.split('/').any(str::is_empty), "{}", place.names);
            let stars = place.names.matches('*').count();
            let at_an_end = place.names.starts_with('*') || place.names.ends_with('*');
            assert!(stars == 0 || (stars == 1 && at_an_end && !place.names.contains('/')), "{}", place.names);
        }
    }

    #[test]
    fn no_place_is_there_twice() {
        let mut names: Vec<_> = PLACES.iter().map(|place| place.names).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|two| two[0] != two[1]));
    }
}
