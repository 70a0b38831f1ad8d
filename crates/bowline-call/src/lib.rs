//! The words for calls: tool, intent, outcome, and who can mend an error.
