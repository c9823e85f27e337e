//! Names that people can tell apart.
//!
//! Anybody may choose what they are called, so a name proves nothing. But two people whose names look
//! the same would be taken for each other, and a guest called "Owner" for the owner.

/// Letters of other alphabets that look like Latin ones.
const LOOK_ALIKES: [(&str, &str); 2] = [
    ("аеорсухіѕјԛԝһԁвкмнт", "aeopcyxisjqwhdbkmht"),
    ("οαενρικτυχβημ", "oaevpiktuxbhm"),
];

/// What is left of a name when only how it looks counts.
fn look(name: &str) -> String {
    let letters = name.chars().flat_map(char::to_lowercase);
    letters
        .map(|letter| match letter {
            // Wide forms of ASCII.
            '\u{ff01}'..='\u{ff5e}' => {
                let plain = u32::from(letter) - 0xfee0;
                char::from_u32(plain).map_or(letter, |plain| plain.to_ascii_lowercase())
            }
            _ => letter,
        })
        .filter(|letter| letter.is_alphanumeric())
        .map(|letter| {
            let alike = LOOK_ALIKES.iter().find_map(|(from, to)| {
                let at = from.chars().position(|other| other == letter)?;
                to.chars().nth(at)
            });
            alike.unwrap_or(letter)
        })
        .collect()
}

/// Whether two names would be taken for the same.
pub(super) fn alike(one: &str, other: &str) -> bool {
    look(one) == look(other)
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
        ] {
            assert!(alike("Owner", same), "{same:?}");
        }
        for other in ["Owner 2", "Own", "Anna", ""] {
            assert!(!alike("Owner", other), "{other:?}");
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
