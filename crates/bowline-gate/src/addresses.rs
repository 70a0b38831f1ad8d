//! Nothing beyond this machine is reached without a person's word.

use std::net::IpAddr;

use bowline_call::{RefusalCode, Target, Targets};

use crate::{Asked, Objection, Rule, RuleFailed, Verdict};

/// Every address of the intent must be one of this machine's own.
#[derive(Debug, Default)]
pub struct Addresses;

impl Rule for Addresses {
    fn name(&self) -> &'static str {
        "addresses"
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        let Targets::Known(targets) = &asked.intent.targets else {
            return Ok(Verdict::allow(self.name()));
        };
        let foreign = targets.iter().find_map(|target| match target {
            Target::Address(address) if !is_ours(address) => Some(address),
            _ => None,
        });
        Ok(match foreign {
            None => Verdict::allow(self.name()),
            Some(address) => Verdict::Ask(Objection {
                code: RefusalCode::ConfirmationRequired,
                rule: self.name().into(),
                reason: format!("`{address}` is not an address of this machine"),
                recovery: "use an address such as 127.0.0.1, or ask the person you work for".into(),
                skill: None,
            }),
        })
    }
}

/// Whether `host:port` is reached without leaving the machine. A name may lead anywhere, but for the one that every
/// machine gives itself.
fn is_ours(address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_ours() {
        for ours in ["127.0.0.1:7050", "127.9.9.9:1", "[::1]:80", "localhost:1", "LOCALHOST:1"] {
            assert!(is_ours(ours), "{ours}");
        }
        for foreign in [
            "10.0.0.1:1",
            "example.com:80",
            "localhost.evil.com:1",
            "0.0.0.0:1",
            "",
            ":1",
            "[::]:1",
            "127.1:1",
        ] {
            assert!(!is_ours(foreign), "{foreign}");
        }
    }
}
