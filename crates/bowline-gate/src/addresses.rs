//! Nothing beyond this machine is reached without a person's word.

use std::net::IpAddr;

use bowline_call::{Family, RefusalCode, Target, Targets};

use crate::scope::domain;
use crate::{Asked, Objection, Rule, RuleFailed, Verdict};

const INSIDE: &str = "the machine's own network keeps secrets at such addresses";

/// Every address of the intent must be one of this machine's own, or plain enough for a rule about domains.
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
        // A host that fetches pages is what rules about domains are for. They are asked about plain addresses.
        let is_fetch = asked.family == Some(Family::Fetch);
        let foreign = targets.iter().find_map(|target| match target {
            Target::Address(address) if is_fetch => odd(address).map(|why| (address, why)),
            Target::Address(address) if !is_ours(address) => {
                Some((address, "it is not an address of this machine"))
            }
            _ => None,
        });
        Ok(match foreign {
            None => Verdict::allow(self.name()),
            Some((address, why)) => Verdict::Ask(Objection {
                code: RefusalCode::ConfirmationRequired,
                rule: self.name().into(),
                reason: format!("`{}`: {why}", shortened(address)),
                recovery: "use a plain address, or ask the person you work for".into(),
                skill: None,
            }),
        })
    }
}

fn shortened(address: &str) -> String {
    address.chars().take(200).collect()
}

/// Why no rule about domains speaks for an address: nobody can tell whose it is, or everybody can and it opens a door.
pub(crate) fn odd(address: &str) -> Option<&'static str> {
    let Some(host) = domain::host(address) else {
        return Some("people and programs may read it differently");
    };
    if host.ends_with('.') {
        return Some("a dot at the end names the same machine past every rule");
    }
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit()) || text.starts_with("0x");
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) if ip.is_link_local() || ip.is_unspecified() => Some(INSIDE),
        Ok(IpAddr::V6(ip)) if (ip.segments()[0] & 0xffc0) == 0xfe80 || ip.to_ipv4_mapped().is_some() => {
            Some(INSIDE)
        }
        Ok(_) => None,
        Err(_) if host.split('.').all(is_number) => Some("it is a number that programs take for an address"),
        Err(_) => None,
    }
}

/// Whether `host:port` is reached without leaving the machine. A name may lead anywhere, but for the one that every
/// machine gives itself.
pub(crate) fn is_ours(address: &str) -> bool {
    let Some(host) = domain::host(address) else { return false };
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_addresses_are_never_plain() {
        for odd_one in [
            "http://169.254.169.254/",
            "http://2852039166/",
            "http://0xa9fea9fe/",
            "http://a@169.254.169.254/",
            "http://metadata.google.internal./",
            "http://[::ffff:169.254.169.254]/",
            "http://[fe80::1]/",
            "http://0.0.0.0/",
            "file:///etc/passwd",
        ] {
            assert!(odd(odd_one).is_some(), "{odd_one}");
        }
        for plain in ["https://docs.rs/", "http://127.0.0.1:3000", "https://10.0.0.1/"] {
            assert!(odd(plain).is_none(), "{plain}");
        }
    }

    #[test]
    fn only_loopback_is_ours() {
        for ours in ["127.0.0.1:7050", "127.9.9.9:1", "[::1]:80", "localhost:1", "LOCALHOST:1"] {
            assert!(is_ours(ours), "{ours}");
        }
        for foreign in [
            "http://localhost@evil.com/",
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
