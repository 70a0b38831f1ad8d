//! From settings to a corridor: the only place where every room is known.

use std::path::PathBuf;
use std::sync::{Arc, Weak};

use bowline_audit::Audit;
use bowline_call::{AnyTool, ConversationId, HOST_TOOLS, Registry, ToolIdentity};
use bowline_config::{Environment, Flags, ServerFlags, Settings, SkillSettings};
use bowline_dispatch::{Advisor, Corridor, FactFinder, Prober};
use bowline_gate::{
    Addresses, Bases, Fenced, Gate, HostRules, KnownTools, Layer, Ledgers, NamePattern, Names, Openings,
    Phases, Protected, Roots, Rule, RuleEntry,
};
use bowline_guide::Guide;
use bowline_mcp::{Level, Logs};
use bowline_skills::{Scope, Store};
use bowline_std::clock::SystemClock;
use bowline_tools::{House, LogSwitch};
use bowline_workspace::{IndexStore, Outcome, Recovered, ServerOptions, Workspace, Writer};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::cli::Shared;
use crate::index_store::KeptIndex;
use crate::ledger_store::KeptLedgers;
use crate::probe::{ByProfile, Commands, NothingRuns};
use crate::reference_store::KeptReferences;
use crate::skills::{self, Recorded};

/// Everything that a command needs.
pub(crate) struct Bowline {
    pub(crate) settings: Settings,
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) state_dir: Option<PathBuf>,
    pub(crate) corridor: Arc<Corridor>,
    pub(crate) audit: Audit,
    pub(crate) conversation: ConversationId,
    pub(crate) logs: Logs,
    pub(crate) library: Arc<dyn Store>,
}

/// The settings that the command line, the environment and the files make together.
pub(crate) fn settings(shared: &Shared) -> anyhow::Result<(Environment, Settings)> {
    let environment = Environment::read();
    let servers = ServerFlags {
        words: shared.words.clone(),
        specs: shared.server.clone(),
        auto: shared.auto,
        config: shared.config.clone(),
        merge_config: shared.merge_config.clone(),
    };
    let flags = Flags {
        roots: shared.root.clone(),
        audit_log: shared.audit_log.clone(),
        servers,
        profile: shared.profile.clone(),
        user_file: shared.user_file.clone(),
    };
    let settings = Settings::load(&environment, flags)?;
    Ok((environment, settings))
}

/// What everything is wired together for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Calls,
    /// Only what the gate would say is wanted: nothing is brought to its end, nothing is written.
    Rehearsal,
}

/// Wires everything together.
pub(crate) fn assemble(shared: &Shared) -> anyhow::Result<Bowline> {
    assemble_for(Purpose::Calls, shared)
}

pub(crate) fn assemble_for(purpose: Purpose, shared: &Shared) -> anyhow::Result<Bowline> {
    let (environment, settings) = settings(shared)?;
    let logs = log(&environment);
    for warning in &settings.warnings {
        tracing::warn!("{warning}");
    }
    let clock = Arc::new(SystemClock);
    let audit = Audit::open(settings.audit.clone(), clock.clone());
    let store = settings.index_file.clone().map(|path| Box::new(KeptIndex::at(path)) as Box<dyn IndexStore>);
    let servers =
        ServerOptions { specs: settings.servers.clone(), environment: settings.child_environment.clone() };
    let mut workspace =
        Workspace::new(settings.index.clone(), settings.roots.clone(), store)?.with_servers(servers);
    if let Some(path) = settings.references_file.clone() {
        workspace = workspace.with_recollection(Arc::new(KeptReferences::at(path, &settings.roots)));
    }
    // A home directory may be a root, and no draft may loosen the rules that it is judged by.
    let own =
        [&environment.config_dir, &environment.state_dir, &environment.cache_dir, &environment.executable];
    // What the user keeps for agents to follow is not for agents to write.
    let users = settings.skills.roots.iter().filter(|(_, scope)| *scope == Scope::User).map(|(root, _)| root);
    let own: Vec<_> = own.into_iter().flatten().chain([&settings.audit.path]).chain(users).cloned().collect();
    if let Some(state) = environment.state_dir.as_ref().filter(|_| purpose == Purpose::Calls) {
        let writer = Writer::new(settings.roots.clone(), state.join("writes")).guarding(own.clone());
        recover(&writer, &audit);
        workspace = workspace.with_writer(writer);
    }
    let workspace = Arc::new(workspace.with_cache(environment.cache_dir.clone()));
    let conversation = shared.conversation.clone().map_or_else(ConversationId::fresh, ConversationId::new);
    let library = skills::library(&settings.skills);
    let library: Arc<dyn Store> = Arc::new(Recorded::new(library, audit.clone(), conversation.clone()));
    let switch = logs.clone();
    let log_level: LogSwitch = Arc::new(move |level| switch.set(level));
    let house = House {
        workspace: Arc::clone(&workspace),
        path: environment.path,
        log_level: Some(log_level),
        run_logs: environment.state_dir.as_ref().map(|state| state.join("runs")),
        skills: Some(skills::needs(Arc::clone(&library))),
    };
    // Who names a conversation means to come back to it. One without a name ends with the process, and costs no file.
    let ledgers = match &shared.conversation {
        Some(_) if purpose == Purpose::Calls => {
            Ledgers::kept(Arc::new(KeptLedgers::within(environment.state_dir.as_ref(), clock.clone())))
        }
        _ => Ledgers::default(),
    };
    let SkillSettings { guidance, max_bytes, .. } = settings.skills;
    let guide = Guide::new(Arc::clone(&library), ledgers.clone(), guidance, max_bytes);
    let (tools, offered) =
        bowline_tools::chosen(&house, bowline_guide::all(&guide), shared.tools.as_deref())?;
    guide.know({
        // Weak: some of these tools hold the guide.
        let tools: Vec<_> = tools.iter().map(Arc::downgrade).collect();
        let offered = offered.clone();
        move || {
            let tools: Vec<_> = tools.iter().filter_map(Weak::upgrade).collect();
            KnownTools::new(tools.iter().map(|tool| tool.spec())).offering(&offered)
        }
    });
    for list in [&settings.user_rules].into_iter().chain(&settings.project_rules) {
        for entry in list.deny.iter().chain(&list.ask).filter(|entry| !means_some(entry, &tools)) {
            tracing::warn!(
                "`{}` means no tool that there is: nothing is denied or asked by it",
                entry.pattern()
            );
        }
    }
    if settings.profiles.names_tools() {
        settings.profiles.check_tools(&KnownTools::new(tools.iter().map(|tool| tool.spec())))?;
    }
    let profiles = &settings.profiles.profiles;
    let facts = FactFinder::new(settings.roots.clone(), clock)
        .at_home(environment.home.clone())
        .hashing_reads(profiles.wants_content());
    let prober: Arc<dyn Prober> = match purpose {
        Purpose::Calls => Arc::new(Commands {
            dir: settings.roots.first().cloned().unwrap_or_default(),
            environment: settings.child_environment.clone(),
        }),
        Purpose::Rehearsal => Arc::new(NothingRuns),
    };
    let advisor = Advisor::new(profiles.clone(), ledgers.clone(), facts.clone(), prober);
    guide.finished_by(Arc::new(ByProfile(Arc::clone(&advisor))));
    let registry = Registry::new(tools)?.offering(&offered);
    let corridor = Corridor::new(
        registry,
        (gate(&settings, &own)?, ledgers),
        audit.clone(),
        facts,
        settings.calls.clone(),
    );
    if let Some(memory) = settings.memory.clone() {
        corridor.remember_in(Arc::new(memory));
    }
    corridor.advised_by(advisor);
    Ok(Bowline {
        settings,
        workspace,
        state_dir: environment.state_dir,
        corridor,
        audit,
        conversation,
        logs,
        library,
    })
}

/// Whether the name in an entry is of some tool here or of some host. Those of other servers cannot be known.
fn means_some(entry: &RuleEntry, tools: &[Arc<dyn AnyTool>]) -> bool {
    let name = entry.pattern().split('(').next().unwrap_or_default().trim();
    if name.starts_with('@') || name.starts_with("mcp__") || name.contains('.') {
        return true;
    }
    let Ok(pattern) = NamePattern::parse(name) else { return true };
    let hosts = HOST_TOOLS.iter().map(|tool| tool.name);
    let mut names = tools.iter().map(|tool| tool.spec().name.as_str()).chain(hosts);
    names.any(|name| pattern.matches(&ToolIdentity::of(name)))
}

/// Brings writes to an end that were cut off, before anybody reads what they left, and says so.
fn recover(writer: &Writer, audit: &Audit) {
    let recovered = match writer.recover() {
        Ok(recovered) => recovered,
        Err(error) => {
            tracing::error!("a write may have been cut off, and it cannot be brought to its end: {error}");
            return;
        }
    };
    for Recovered { id, label, files, outcome, conflicts } in recovered {
        let of = files.len();
        let (ended, how) = match outcome {
            Outcome::RolledBack => (
                true,
                format!("`{label}` was cut off while it wrote {of} files; all of them are as before ({id})"),
            ),
            Outcome::Finished => {
                (true, format!("`{label}` was cut off after it wrote {of} files; all of them are new ({id})"))
            }
            Outcome::SetAside { reason } => {
                (false, format!("a journal of writes cannot be read and was put aside: {reason} ({id})"))
            }
            Outcome::Unfinished { reason } => (
                false,
                format!("`{label}` was cut off, and cannot be brought to its end yet: {reason} ({id})"),
            ),
        };
        tracing::warn!("{how}");
        audit.recovered(&label, &files, ended, &how);
        for conflict in conflicts {
            let kept = conflict
                .kept
                .map_or_else(String::new, |kept| format!("; what it replaced is in `{}`", kept.display()));
            tracing::warn!(
                "`{}` was changed by somebody else since, and stays so{kept}",
                conflict.path.display()
            );
        }
    }
}

fn gate(settings: &Settings, own: &[PathBuf]) -> anyhow::Result<Gate> {
    let bases = |sources: &[PathBuf]| Bases {
        roots: settings.roots.clone(),
        sources: sources.to_vec(),
        home: settings.home.clone(),
    };
    let user = HostRules::new(Layer::User, &settings.user_rules, &bases(&settings.roots))?;
    let user = Arc::new(user.remembering(&settings.remembered)?);
    let mut rules: Vec<Box<dyn Rule>> = vec![Box::new(Arc::clone(&user))];
    for (root, project) in settings.roots.iter().zip(&settings.project_rules) {
        let rules_of = HostRules::new(Layer::Project, project, &bases(std::slice::from_ref(root)))?;
        rules.push(Box::new(rules_of.remembering(&settings.remembered)?));
    }
    rules.push(Box::new(Names));
    rules.push(Box::new(Fenced));
    rules.push(Box::new(Phases::new(settings.skills.guidance)));
    rules.push(Box::new(settings.profiles.profiles.clone()));
    rules.push(Box::new(Roots::new(user)));
    rules.push(Box::new(Addresses));
    let own: Vec<_> =
        own.iter().cloned().chain(own.iter().filter_map(|path| path.canonicalize().ok())).collect();
    rules.push(Box::new(Protected::new(Openings::new(&settings.user_rules.write_protected)?, &own)));
    Ok(Gate::new(rules))
}

fn log(environment: &Environment) -> Logs {
    let asked = environment.log_level.as_deref();
    let logs = Logs::to_stderr(asked.and_then(Level::parse).unwrap_or(Level::Warn));
    // A second call in one process keeps the first subscriber, which writes to the same place.
    let _ = tracing_subscriber::registry().with(logs.clone()).try_init();
    if let Some(unknown) = asked.filter(|level| Level::parse(level).is_none()) {
        tracing::warn!("LOG_LEVEL is `{unknown}`, which is not a level; `warn` is taken");
    }
    logs
}
