//! A table for people, its columns as wide as they need.

use std::fmt;

pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![self.columns.iter().map(ToString::to_string).collect::<Vec<_>>()];
        lines.extend(self.rows.iter().cloned());
        let width = |column: usize| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        writeln!(f, "{}", self.title)?;
        for line in &lines {
            let cells: Vec<String> = line
                .iter()
                .enumerate()
                .map(|(column, cell)| match column {
                    0 => format!("{cell:<0$}", width(0)),
                    _ => format!("{cell:>0$}", width(column)),
                })
                .collect();
            writeln!(f, "  {}", cells.join("   ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_their_names() {
        let table = Table {
            title: "start".into(),
            columns: vec!["what", "ours"],
            rows: vec![vec!["median".into(), "7.1 ms".into()], vec!["µ".into(), "1".into()]],
        };
        assert_eq!(table.to_string(), "start\n  what       ours\n  median   7.1 ms\n  µ             1\n");
    }
}
