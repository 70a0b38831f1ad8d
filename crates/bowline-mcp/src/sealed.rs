//! The state that goes out with a question and comes back with its answer. It has been in the client's hands, so it is
//! believed only under a seal that nobody else can make, for the same call, in time, and once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use uuid::Uuid;

/// Names the form of a state.
const FORM: &str = "b1";
/// So many questions of one call may be answered before it runs.
pub(crate) const MOST_ALLOWED: usize = 16;
/// So many answers are remembered as taken. More in so little time are not the work of a person.
const MOST_TAKEN: usize = 4096;

/// What was asked about a call, and what was allowed of it before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    /// Names the question that the answer is for.
    pub(crate) asked: String,
    /// Names the questions that were answered with yes on the way here.
    pub(crate) allowed: Vec<String>,
}

/// Why an answer is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotTaken {
    #[error("its `requestState` is not one that was handed out here")]
    Forged,
    #[error("its `requestState` was handed out for another call")]
    OtherCall,
    #[error("it came too late")]
    Expired,
    #[error("it was taken already")]
    Taken,
    #[error("too many answers came at once")]
    TooMany,
}

/// Makes and opens states. Its key dies with the process, and its states with it.
pub(crate) struct Sealer {
    key: [u8; 32],
    lasting: Duration,
    begun: Instant,
    /// Answers that were taken, until they would be too late anyway.
    taken: Mutex<HashMap<Uuid, u128>>,
}

impl Sealer {
    pub(crate) fn new(lasting: Duration) -> Self {
        // The system's randomness, 122 bits of it at a time.
        let random: Vec<u8> = (0..4).flat_map(|_| Uuid::new_v4().into_bytes()).collect();
        let key = blake3::derive_key("bowline mcp request state", &random);
        Self { key, lasting, begun: Instant::now(), taken: Mutex::default() }
    }

    /// A state for a question about this call.
    pub(crate) fn seal(&self, call: &str, state: &State) -> String {
        self.seal_at(self.begun.elapsed(), call, state)
    }

    /// What was asked, if this is an answer to it. It is taken by that, and not taken again.
    pub(crate) fn open(&self, call: &str, sealed: &str) -> Result<State, NotTaken> {
        self.open_at(self.begun.elapsed(), call, sealed)
    }

    fn seal_at(&self, now: Duration, call: &str, state: &State) -> String {
        let until = (now + self.lasting).as_millis();
        let nonce = Uuid::new_v4().simple();
        let text = format!("{FORM}.{nonce}.{until}.{call}.{}.{}", state.asked, state.allowed.join("+"));
        let seal = blake3::keyed_hash(&self.key, text.as_bytes()).to_hex();
        format!("{text}.{seal}")
    }

    fn open_at(&self, now: Duration, call: &str, sealed: &str) -> Result<State, NotTaken> {
        let (text, seal) = sealed.rsplit_once('.').ok_or(NotTaken::Forged)?;
        let seal = blake3::Hash::from_hex(seal).map_err(|_| NotTaken::Forged)?;
        // Compared in constant time.
        if blake3::keyed_hash(&self.key, text.as_bytes()) != seal {
            return Err(NotTaken::Forged);
        }
        let parts: Vec<&str> = text.split('.').collect();
        let [FORM, nonce, until, of, asked, allowed] = parts[..] else { return Err(NotTaken::Forged) };
        let (Ok(nonce), Ok(until)) = (Uuid::try_parse(nonce), until.parse::<u128>()) else {
            return Err(NotTaken::Forged);
        };
        if of != call {
            return Err(NotTaken::OtherCall);
        }
        if now.as_millis() >= until {
            return Err(NotTaken::Expired);
        }
        self.take(now, nonce, until)?;
        let allowed = allowed.split('+').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        Ok(State { asked: asked.to_owned(), allowed })
    }

    fn take(&self, now: Duration, nonce: Uuid, until: u128) -> Result<(), NotTaken> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|_, until| now.as_millis() < *until);
        if taken.contains_key(&nonce) {
            return Err(NotTaken::Taken);
        }
        if taken.len() >= MOST_TAKEN {
            return Err(NotTaken::TooMany);
        }
        taken.insert(nonce, until);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn state() -> State {
        State { asked: "aa".into(), allowed: vec!["bb".into(), "cc".into()] }
    }

    #[test]
    fn what_is_sealed_is_opened_once() {
        let sealer = Sealer::new(MINUTE);
        for state in [state(), State { allowed: Vec::new(), ..state() }] {
            let sealed = sealer.seal("call", &state);
            assert_eq!(sealer.open("call", &sealed), Ok(state));
            assert_eq!(sealer.open("call", &sealed), Err(NotTaken::Taken));
        }
    }

    #[test]
    fn it_is_for_one_call_and_for_a_while() {
        let sealer = Sealer::new(MINUTE);
        let sealed = sealer.seal_at(MINUTE, "call", &state());
        assert_eq!(sealer.open_at(MINUTE, "other", &sealed), Err(NotTaken::OtherCall));
        assert_eq!(sealer.open_at(2 * MINUTE, "call", &sealed), Err(NotTaken::Expired));
        assert!(sealer.open_at(2 * MINUTE - Duration::from_millis(1), "call", &sealed).is_ok());
        assert_eq!(Sealer::new(MINUTE).open("call", &sealed), Err(NotTaken::Forged), "of another process");
    }

    #[test]
    fn what_is_remembered_as_taken_is_forgotten_in_time() {
        let sealer = Sealer::new(MINUTE);
        let take = |now| sealer.open_at(now, "call", &sealer.seal_at(now, "call", &state()));
        for _ in 0..MOST_TAKEN {
            take(Duration::ZERO).unwrap();
        }
        assert_eq!(take(Duration::ZERO), Err(NotTaken::TooMany));
        assert!(take(MINUTE).is_ok());
        assert_eq!(sealer.taken.lock().unwrap().len(), 1);
    }

    proptest! {
        #[test]
        fn nothing_else_is_believed(at in 0usize..400, byte in any::<u8>(), text in ".{0,80}") {
            let sealer = Sealer::new(MINUTE);
            let sealed = sealer.seal("call", &state());
            prop_assert_eq!(sealer.open("call", &text), Err(NotTaken::Forged));
            let mut other = sealed.clone().into_bytes();
            let at = at % other.len();
            other[at] = byte;
            if let Ok(other) = String::from_utf8(other) && !other.eq_ignore_ascii_case(&sealed) {
                prop_assert_eq!(sealer.open("call", &other), Err(NotTaken::Forged));
            }
        }
    }
}
