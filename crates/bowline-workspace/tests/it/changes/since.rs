//! What is staged or committed is told by the lines of the files as they are now.

use bowline_workspace::ChangeSet;

use super::{EIGHT, Repository, last_commit};

#[tokio::test]
async fn staged_lines_move_with_what_is_not_staged() {
    let repository = Repository::new();
    for name in ["above", "below", "gone", "rewritten", "taken"] {
        repository.write(name, EIGHT);
    }
    repository.commit();
    for name in ["above", "below", "gone", "rewritten", "taken"] {
        repository.write(name, "1\n2\n3\n4\nfive\n6\n7\n8\n");
    }
    repository.write("new", "a\nb\nc\nd\ne\n");
    repository.git(&["add", "-A"]);
    repository.write("above", "a\nb\nc\nd\n1\n2\n3\n4\nfive\n6\n7\n8\n");
    repository.write("below", "1\n2\n3\n4\nfive\n6\n7\nx\n8\n");
    repository.write("rewritten", "1\n2\n4\nFIVE\nFive\n6\n7\n8\n");
    repository.write("taken", "1\n2\n3\n4\n6\n7\n8\n");
    repository.write("new", "a\nb\nc\nd\nlater\ne\n");
    std::fs::remove_file(repository.root.join("gone")).unwrap();
    assert_eq!(
        repository.seen(ChangeSet::Staged).await,
        "M above 9-9\nM below 5-5\nM gone (gone)\nA new 1-4 6-4294967295\nM rewritten 4-5\nM taken 5-4"
    );
    assert_eq!(
        repository.seen(ChangeSet::Unstaged).await,
        "M above 1-4\nM below 8-8\nD gone\nM new 5-5\nM rewritten 3-2 4-5\nM taken 5-4",
        "what is not staged is the file as it is now"
    );
}

#[tokio::test]
async fn committed_lines_move_with_later_commits_and_with_the_working_tree() {
    let repository = Repository::new();
    repository.write("in/a b", EIGHT);
    repository.write("gone", EIGHT);
    repository.write("binary", EIGHT);
    repository.write("untracked", EIGHT);
    repository.write("link", EIGHT);
    repository.commit();
    for name in ["in/a b", "gone", "binary", "untracked", "link"] {
        repository.write(name, "1\n2\n3\n4\nfive\n6\nseven\n8\n");
    }
    repository.commit();
    repository.write("in/a b", "0\n1\n2\n4\nfive\n6\nseven\n8\n");
    repository.git(&["mv", "gone", "elsewhere"]);
    repository.write("binary", "1\n\0\n");
    repository.commit();
    repository.git(&["rm", "-q", "--cached", "untracked"]);
    repository.git(&["commit", "-qm", "x"]);
    std::fs::remove_file(repository.root.join("link")).unwrap();
    std::os::unix::fs::symlink("binary", repository.root.join("link")).unwrap();
    let asked = "HEAD~3..HEAD~2";
    let others = "M binary all (lost)\nM gone (gone)";
    assert_eq!(
        repository.committed(asked).await,
        format!("{others}\nM in/a b 5-5 7-7\nM link all (lost)\nM untracked all (lost)")
    );
    repository.write("in/a b", "x\ny\n0\n1\nfive\nsix\n8\n");
    assert_eq!(
        repository.committed(asked).await,
        format!("{others}\nM in/a b 5-6\nM link all (lost)\nM untracked all (lost)")
    );
    assert_eq!(repository.seen(last_commit()).await, "D untracked");
}

#[tokio::test]
async fn what_cannot_be_compared_again_counts_as_a_whole() {
    let repository = Repository::new();
    repository.write("a", EIGHT);
    repository.write("large", EIGHT);
    repository.commit();
    repository.write("a", "1\n2\n3\n4\nfive\n6\n7\n8\n");
    repository.write("large", "1\n2\n3\n4\nfive\n6\n7\n8\n");
    repository.commit();
    repository.write("large", &format!("{}\n", "x".repeat(1 << 20)).repeat(66));
    assert_eq!(repository.seen(last_commit()).await, "M a 5-5\nM large all (lost)");
}

#[tokio::test]
async fn many_files_are_asked_about_in_turns() {
    let repository = Repository::new();
    let long = "x".repeat(200);
    let names: Vec<String> = (0..400).map(|number| format!("{long}{number}")).collect();
    for text in [EIGHT, "1\n2\n3\n4\nfive\n6\n7\n8\n", "0\n1\n2\n3\n4\nfive\n6\n7\n8\n"] {
        names.iter().for_each(|name| repository.write(name, text));
        repository.commit();
    }
    let seen = repository.committed("HEAD~2..HEAD~1").await;
    assert_eq!(seen.lines().count(), 400);
    assert!(seen.lines().all(|line| line.ends_with(" 6-6")), "{seen}");
}
