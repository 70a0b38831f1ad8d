//! One round of advice after a call: every provider whose turn it is, each by its own count.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::Profile;
use super::completion::Found;
use super::feedback::{Feedback, FeedbackContext, FeedbackProvider};
use super::profiles::{Profiles, caught, instance};
use super::state::Watch;
use super::trigger::FeedbackTrigger;
use crate::Ledger;

/// What came of a round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Advice {
    /// In the order of the profiles.
    pub feedback: Vec<Feedback>,
    /// Providers that failed, and how.
    pub failures: Vec<String>,
}

/// The time, and which of the files are there that somebody waits for.
#[derive(Debug, Clone)]
pub struct Watched {
    pub now: SystemTime,
    pub files: Found,
}

struct Seat<'a> {
    profile: &'a Profile,
    provider: &'a Arc<dyn FeedbackProvider>,
    trigger: &'a FeedbackTrigger,
    instance: String,
}

impl Profiles {
    fn seats(&self) -> impl Iterator<Item = Seat<'_>> {
        self.all.iter().enumerate().flat_map(|(which, profile)| {
            profile.feedback.iter().enumerate().map(move |(index, (provider, trigger))| {
                let instance = instance(which, profile, index, provider.name());
                Seat { profile, provider, trigger, instance }
            })
        })
    }

    /// The files that somebody waits for.
    pub fn watched(&self) -> BTreeSet<PathBuf> {
        self.seats().filter_map(|seat| seat.trigger.file()).collect()
    }

    /// Whether it has not been looked yet which of them are there.
    pub fn is_new_to(&self, ledger: &Ledger) -> bool {
        self.watched().iter().any(|file| !ledger.profile.seen.contains_key(&name(file)))
    }

    /// Before the first call: what is there already does not appear any more.
    pub fn begin(&self, ledger: &mut Ledger, watched: &Watched) {
        ledger.profile.begin(watched.now);
        let there = watched.files.existing();
        for file in self.watched() {
            ledger.profile.seen.entry(name(&file)).or_insert_with(|| there.contains(file.as_path()));
        }
    }

    /// After a call that the ledger has learned of, however it ended.
    pub fn advise(&self, ledger: &mut Ledger, watched: &Watched) -> Advice {
        self.look(ledger, watched);
        let mut advice = Advice::default();
        // All are asked about the same past: what one says now is not what another knows.
        let mut told = Vec::new();
        for seat in self.seats() {
            match self.ask(ledger, watched.now, &seat) {
                Ok(Some(feedback)) => {
                    told.push((seat.instance, Some(feedback.clone())));
                    advice.feedback.push(feedback);
                }
                Ok(None) => {}
                Err(failure) => {
                    told.push((seat.instance, None));
                    advice.failures.push(failure);
                }
            }
        }
        for (instance, feedback) in told {
            let calls = ledger.profile.calls();
            let own = ledger.profile.providers.entry(instance).or_default();
            own.turn = Some((calls, watched.now));
            let Some(feedback) = feedback else { continue };
            // A file that is still to come is not used up by advice that another trigger asked for.
            if own.file == Watch::Appeared {
                own.file = Watch::Told;
            }
            own.last = Some(feedback.clone());
            ledger.profile.last_feedback = Some(feedback);
        }
        advice
    }

    /// Which files have appeared since the last look, and which have gone.
    fn look(&self, ledger: &mut Ledger, watched: &Watched) {
        let there = watched.files.existing();
        for seat in self.seats() {
            let Some(file) = seat.trigger.file() else { continue };
            let is_there = there.contains(file.as_path());
            // One that nobody has looked for before may have been there all the time.
            let was_there = ledger.profile.seen.get(&name(&file)).copied().unwrap_or(is_there);
            let own = ledger.profile.providers.entry(seat.instance).or_default();
            own.file = match own.file {
                Watch::Told => Watch::Told,
                Watch::Waiting if is_there && !was_there => Watch::Appeared,
                Watch::Appeared if !is_there => Watch::Waiting,
                other => other,
            };
        }
        for file in self.watched() {
            ledger.profile.seen.insert(name(&file), there.contains(file.as_path()));
        }
    }

    fn ask(&self, ledger: &Ledger, now: SystemTime, seat: &Seat<'_>) -> Result<Option<Feedback>, String> {
        let state = &ledger.profile;
        let own = state.providers.get(&seat.instance).cloned().unwrap_or_default();
        if !seat.trigger.is_due(state, &own, now) {
            return Ok(None);
        }
        let context = FeedbackContext {
            prompt_name: &seat.profile.name,
            deadline: self.deadline(state, now),
            now,
            ledger,
            state,
            instance: &seat.instance,
        };
        let said = caught(|| match seat.provider.should_run(&context) {
            true => seat.provider.provide(&context).map(Some),
            false => Ok(None),
        });
        let mut feedback = match said {
            Ok(Some(feedback)) => feedback,
            Ok(None) => return Ok(None),
            Err(why) => {
                return Err(format!(
                    "feedback {} of the profile {}: {why}",
                    seat.provider.name(),
                    seat.profile.name
                ));
            }
        };
        feedback.provider_name = seat.provider.name().to_owned();
        feedback.timestamp = now;
        feedback.call_index = state.calls();
        feedback.prompt_name = seat.profile.name.clone();
        feedback.bound();
        Ok(Some(feedback))
    }
}

/// Watched files come from texts, so this loses nothing.
fn name(file: &Path) -> String {
    file.to_string_lossy().into_owned()
}
