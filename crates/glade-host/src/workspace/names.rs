//! Names that people can tell apart.
//!
//! Anybody may choose what they are called, so a name proves nothing. But two people whose names look
//! the same would be taken for each other, and a guest called "Owner" for the owner.

/// Letters of other alphabets, and digits, that look like Latin letters.
const LOOK_ALIKES: [(&str, &str); 5] = [
    ("аеорсухіѕјԛԝһԁвкмнтгпӏѵԍ", "aeopcyxlsjqwhdbkmhtrnlvg"),
    ("οαενρικτυχβημωσ", "oaevplktuxbhmwo"),
    ("օսոցհզ", "ounghq"),
    // Small capitals, and letters of phonetics.
    ("ᴏᴡɴᴇʀᴀʙᴄᴅᴊᴋᴍᴘꜱᴛᴜᴠᴢɪʟɡɑ", "ownerabcdjkmpstuvzllga"),
    ("01i|5", "ollls"),
];
/// Letters that together look like another.
const PAIRS: [(&str, &str); 2] = [("vv", "w"), ("rn", "m")];
/// What subjects begin with: a name that does so looks like a subject.
const KINDS: [&str; 3] = ["person:", "fairy:", "agent:"];

/// Whether a name holds signs that are not seen, or that turn the words around them about.
pub fn holds_unseen_signs(name: &str) -> bool {
    let unseen = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' | '\u{3164}' | '\u{115f}' | '\u{1160}')
    };
    name.chars().any(unseen)
}

/// The plain letter that a letter in another dress is.
fn undressed(letter: char) -> char {
    let code = u32::from(letter);
    let plain = match code {
        // Wide forms of ASCII.
        0xff01..=0xff5e => code - 0xfee0,
        // Bold, italic, script and other letters of mathematics, 26 capitals and 26 small ones each.
        0x1d400..=0x1d6a3 => match (code - 0x1d400) % 52 {
            capital @ 0..26 => u32::from('a') + capital,
            small => u32::from('a') + small - 26,
        },
        // In circles.
        0x24b6..=0x24cf => u32::from('a') + code - 0x24b6,
        0x24d0..=0x24e9 => u32::from('a') + code - 0x24d0,
        _ => code,
    };
    char::from_u32(plain).map_or(letter, |plain| plain.to_ascii_lowercase())
}

/// What is left of a name when only how it looks counts.
pub(super) fn look(name: &str) -> String {
    let letters = name.chars().map(undressed).flat_map(char::to_lowercase);
    let plain: String = letters.collect();
    let plain = plain.trim();
    let named = KINDS.iter().find_map(|kind| plain.strip_prefix(kind));
    let look: String = named
        .unwrap_or(plain)
        .chars()
        .filter(|letter| letter.is_alphanumeric() || *letter == '|')
        .map(|letter| {
            let alike = LOOK_ALIKES.iter().find_map(|(from, to)| {
                let at = from.chars().position(|other| other == letter)?;
                to.chars().nth(at)
            });
            alike.unwrap_or(letter)
        })
        .collect();
    let pairs = PAIRS.iter();
    pairs.fold(look, |look, (two, one)| look.replace(two, one))
}

/// Whether two names would be taken for the same.
pub(super) fn alike(one: &str, other: &str) -> bool {
    look(one) == look(other)
}

/// Whether one of its words looks like "owner".
pub(super) fn speaks_of_owner(name: &str) -> bool {
    let apart = |letter: char| !letter.is_alphanumeric() && letter != '|';
    name.split(apart).any(|word| alike("owner", word))
}

/// The name, with a number where somebody else is called that.
pub(super) fn told_apart(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let numbered = (2..10_000).map(|number| format!("{name} ({number})"));
    let free = numbered.into_iter().find(|name| !is_taken(name));
    free.unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_the_same_are_alike() {
        for same in [
            "owner",
            " OWNER ",
            "O\u{200b}wner",
            "Оwnеr",
            "Ｏｗｎｅｒ",
            "Owner.",
            "0wner",
            "０wner",
            "Ovvner",
            "𝐎𝐰𝐧𝐞𝐫",
            "Ⓞwner",
            "person:owner",
            "Person: Owner",
            "Owneг",
            "ᴏᴡɴᴇʀ",
            "օwner",
            "σωneг",
        ] {
            assert!(alike("Owner", same), "{same:?}");
        }
        for other in ["Owner 2", "Own", "Anna", ""] {
            assert!(!alike("Owner", other), "{other:?}");
        }
    }

    #[test]
    fn a_name_that_speaks_of_the_owner_is_known() {
        for name in ["Mr Owner", "Owner (you)", "the 0wner!", "co-Owneг"] {
            assert!(speaks_of_owner(name), "{name:?}");
        }
        for name in ["Landowner", "Owen", "Ownership", "Anna"] {
            assert!(!speaks_of_owner(name), "{name:?}");
        }
    }

    #[test]
    fn a_name_shows_all_that_it_holds() {
        let hidden = [
            "Owner\u{202e}",
            "Ow\u{200b}ner",
            "a\u{2066}b",
            "\u{feff}a",
            "\u{3164}",
            "a\nb",
        ];
        for name in hidden {
            assert!(holds_unseen_signs(name), "{name:?}");
        }
        for name in ["Anna", "می\u{200c}خواهم", "👩\u{200d}🔬", "José", "李"] {
            assert!(!holds_unseen_signs(name), "{name:?}");
        }
    }

    #[test]
    fn a_taken_name_gets_the_next_number() {
        let taken = ["Anna", "anna (2)"];
        let is_taken = |name: &str| taken.iter().any(|it| alike(it, name));
        assert_eq!(told_apart("ANNA", is_taken), "ANNA (3)");
        assert_eq!(told_apart("Ben", is_taken), "Ben");
    }
}
