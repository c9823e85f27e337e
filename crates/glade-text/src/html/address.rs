//! Where a link or a picture of an exported page may lead.

/// Pictures that may be in the address itself.
const PICTURES: [&str; 4] = [
    "data:image/png;",
    "data:image/jpeg;",
    "data:image/gif;",
    "data:image/webp;",
];

/// The address of a link: on the web, of a mail, or beside the file.
pub fn of_link(address: &str) -> Option<&str> {
    let address = clean(address)?;
    match scheme(address) {
        None => Some(address),
        Some(scheme) => is_one_of(scheme, &["http", "https", "mailto"]).then_some(address),
    }
}

/// The address of a picture that is the picture itself. Others would be loaded by whoever opens the file.
pub fn of_picture(address: &str) -> Option<&str> {
    let address = clean(address)?;
    let inside = |kind: &&str| {
        let begin = address.get(..kind.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(kind))
    };
    PICTURES.iter().any(inside).then_some(address)
}

/// Browsers leave spaces and control characters out before they read an address: one that has any
/// inside is not what it seems.
fn clean(address: &str) -> Option<&str> {
    let address = address.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    (!address.chars().any(char::is_control)).then_some(address)
}

/// What stands before the first colon, unless the address has begun a path by then.
fn scheme(address: &str) -> Option<&str> {
    let end = address.find([':', '/', '?', '#', '\\'])?;
    let (scheme, rest) = address.split_at(end);
    rest.starts_with(':').then_some(scheme)
}

fn is_one_of(scheme: &str, known: &[&str]) -> bool {
    known.iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_the_web_to_mail_or_beside_the_file() {
        for good in [
            "https://a.example/b?c=d:e#f",
            "HTTP://a.example",
            "mailto:a@b.example",
            "#page=pg_a",
            "notes/b.md",
            "/c:d",
            "//a.example",
            "",
        ] {
            assert_eq!(of_link(good), Some(good), "{good:?}");
        }
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "\u{1}javascript:alert(1)",
            "java\nscript:alert(1)",
            "java\tscript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "data:image/png;base64,AAAA",
            "vbscript:x",
            "file:///etc/passwd",
            "blob:x",
            ":x",
        ] {
            assert_eq!(of_link(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_picture_is_in_its_address_and_only_a_picture_of_pixels() {
        for good in ["data:image/png;base64,AAAA", "DATA:image/webp;base64,AAAA"] {
            assert_eq!(of_picture(good), Some(good), "{good:?}");
        }
        for bad in [
            "a.png",
            "//a.example/b.png",
            "https://a.example/b.png",
            "data:image/svg+xml;base64,AAAA",
            "data:text/html,x",
            "data:image/png",
            "javascript:x",
            "mailto:a@b.example",
        ] {
            assert_eq!(of_picture(bad), None, "{bad:?}");
        }
    }
}
