//! Which two commits a range means. What the caller wrote reaches git only as a name to look up.

use super::ChangesError;
use super::git::Git;
use crate::{Patience, WorkspaceError};

const LONGEST: usize = 1000;

/// How a range is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Range<'a> {
    /// `a..b`, or `a` with `HEAD` for the other.
    Between(&'a str, &'a str),
    /// `a...b`: what happened on the second side since they parted.
    SinceParting(&'a str, &'a str),
}

pub(super) fn parse(range: &str) -> Result<Range<'_>, ChangesError> {
    let bad = |why| ChangesError::BadRange { range: bowline_std::text::cut(range, 100), why };
    if range.len() > LONGEST {
        return Err(bad("it is too long"));
    }
    if range.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(bad("it holds white space or control characters"));
    }
    let parsed = if let Some((first, second)) = range.split_once("...") {
        Range::SinceParting(first, second)
    } else if let Some((first, second)) = range.split_once("..") {
        Range::Between(first, second)
    } else {
        Range::Between(range, "HEAD")
    };
    let (Range::Between(first, second) | Range::SinceParting(first, second)) = parsed;
    for side in [first, second] {
        if side.is_empty() {
            return Err(bad("one side is empty"));
        }
        if side.starts_with('-') {
            return Err(bad("a side begins with `-`"));
        }
        // No name of a commit begins with a dot, so a fourth one is refused here, too.
        if side.contains("..") || side.starts_with('.') {
            return Err(bad("it has more than two sides"));
        }
    }
    Ok(parsed)
}

/// What to compare: two commits, or the empty tree and the first commit.
pub(super) async fn resolve(
    git: &Git<'_>,
    range: Option<&str>,
    patience: &Patience<'_>,
) -> Result<(String, String), WorkspaceError> {
    let Some(range) = range else {
        return last_commit(git, patience).await;
    };
    let parsed = parse(range)?;
    let (Range::Between(first, second) | Range::SinceParting(first, second)) = parsed;
    let (one, two) = (commit(git, first, patience).await?, commit(git, second, patience).await?);
    if let Range::Between(..) = parsed {
        return Ok((one, two));
    }
    match git.line(&["merge-base", &one, &two], patience).await? {
        Ok(base) if !base.is_empty() => Ok((base, two)),
        _ => Err(ChangesError::NoCommonCommit { first: first.into(), second: second.into() }.into()),
    }
}

async fn last_commit(git: &Git<'_>, patience: &Patience<'_>) -> Result<(String, String), WorkspaceError> {
    let Some(head) = look_up(git, "HEAD", patience).await?.ok() else {
        return Err(ChangesError::NoCommits { root: git.top_level.clone() }.into());
    };
    if let Ok(parent) = look_up(git, "HEAD~1", patience).await? {
        return Ok((parent, head));
    }
    if git.line(&["rev-parse", "--is-shallow-repository"], patience).await?.is_ok_and(|said| said == "true") {
        return Err(ChangesError::Shallow.into());
    }
    // There is no input, so this is the empty tree, by the repository's own kind of hash.
    match git.line(&["hash-object", "-t", "tree", "--stdin"], patience).await? {
        Ok(empty) => Ok((empty, head)),
        Err(_) => Err(ChangesError::Unreadable { what: "no empty tree" }.into()),
    }
}

async fn commit(git: &Git<'_>, revision: &str, patience: &Patience<'_>) -> Result<String, WorkspaceError> {
    Ok(look_up(git, revision, patience).await?.map_err(|said| {
        // That it needed a revision says no more than we do.
        let said = Some(said).filter(|said| !said.is_empty() && !said.contains("Needed a single revision"));
        ChangesError::UnknownRevision { revision: revision.into(), said }
    })?)
}

/// The hash of a commit, or what git says about the name.
async fn look_up(
    git: &Git<'_>,
    revision: &str,
    patience: &Patience<'_>,
) -> Result<Result<String, String>, WorkspaceError> {
    let peeled = format!("{revision}^{{commit}}");
    let said = git.line(&["rev-parse", "--verify", "--end-of-options", &peeled], patience).await?;
    Ok(said.and_then(|hash| {
        let is_hash = hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash { Ok(hash) } else { Err(hash) }
    }))
}
