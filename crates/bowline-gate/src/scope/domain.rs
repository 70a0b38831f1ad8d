//! `domain:*.example.com`: patterns over the hosts of addresses.

/// The host of an address or a URL, in lower case, without what stands around it. `None` if it is written so that people and
/// programs may read it differently.
pub(crate) fn host(address: &str) -> Option<String> {
    let rest = match address.split_once("://") {
        Some((scheme, rest)) if ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) => rest,
        Some(_) => return None,
        None => address,
    };
    // Some programs take a backslash for a slash, and some do not.
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('\\')
        || authority.contains(['@', '%'])
        || authority.chars().any(|c| c.is_whitespace() || c.is_control() || !c.is_ascii())
    {
        return None;
    }
    let host = if let Some(inner) = authority.strip_prefix('[') {
        inner.split(']').next().unwrap_or_default()
    } else {
        authority.rsplit_once(':').map_or(authority, |(host, _)| host)
    };
    let host = host.to_ascii_lowercase();
    (!host.is_empty()).then_some(host)
}

/// A host, or `*.` and what it ends with at any depth; another star stays within one label.
pub(crate) fn is_domain(pattern: &str, host: &str) -> bool {
    if let Some(suffix) = pattern.strip_prefix("*.") {
        let parts = suffix.split('.').count();
        let labels: Vec<&str> = host.split('.').collect();
        return labels.len() > parts && labels_fit(suffix, &labels[labels.len() - parts..].join("."));
    }
    labels_fit(pattern, host)
}

fn labels_fit(pattern: &str, host: &str) -> bool {
    let (patterns, labels): (Vec<&str>, Vec<&str>) =
        (pattern.split('.').collect(), host.split('.').collect());
    patterns.len() == labels.len()
        && patterns.iter().zip(labels).all(|(pattern, label)| crate::pattern::stars(pattern, label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_one_way_or_not_at_all() {
        for (address, expected) in [
            ("https://Example.com:443/x?y", Some("example.com")),
            ("example.com:80", Some("example.com")),
            ("http://[::1]:80/", Some("::1")),
            ("http://a@b/", None),
            ("http://exämple.com", None),
            ("ftp://example.com", None),
            ("http:///x", None),
            ("http://ex%61mple.com", None),
        ] {
            assert_eq!(host(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn domains() {
        for (pattern, host, fits) in [
            ("example.com", "example.com", true),
            ("*.example.com", "a.b.example.com", true),
            ("*.example.com", "example.com", false),
            ("*.example.com", "evilexample.com", false),
            ("docs.*.com", "docs.a.com", true),
            ("docs.*.com", "docs.a.b.com", false),
        ] {
            assert_eq!(is_domain(pattern, host), fits, "{pattern} / {host}");
        }
    }
}
