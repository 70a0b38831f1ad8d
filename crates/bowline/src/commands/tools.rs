//! `bowline tools`: what there is to call.

use clap::Args;

use crate::cli::Shared;
use crate::exit::Ending;
use crate::paint::{BOLD, DIM, NAME, line, styled};
use crate::wiring::assemble;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// As an MCP client gets them.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(shared: &Shared, arguments: &Arguments) -> anyhow::Result<Ending> {
    let bowline = assemble(shared)?;
    let listing = bowline_mcp::listing(bowline.corridor.registry());
    let json = serde_json::to_string(&listing)?;
    if arguments.json {
        line(json);
        return Ok(Ending::Well);
    }
    for spec in bowline.corridor.registry().specs() {
        line(format_args!("{} {}", styled(BOLD, &spec.name), styled(DIM, spec.most.as_str())));
        line(format_args!("    {}", spec.description()));
        line(format_args!("    {}", styled(NAME, parameters(spec.input_schema()))));
    }
    line(styled(DIM, format_args!("{} tools, about {} tokens", listing.len(), json.len() / 4)));
    Ok(Ending::Well)
}

/// `--file-path TEXT [--line NUMBER]`
fn parameters(schema: &serde_json::Value) -> String {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let shown = properties.map(|(name, schema)| {
        let value = match schema["type"].as_str() {
            Some("integer") => " NUMBER",
            Some("boolean") => "",
            Some("array") => " JSON",
            _ => " TEXT",
        };
        let flag = format!("--{}{value}", name.replace('_', "-"));
        if required.contains(&name.as_str()) { flag } else { format!("[{flag}]") }
    });
    shown.collect::<Vec<_>>().join(" ")
}
