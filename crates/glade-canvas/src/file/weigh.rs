//! How much a JSON text would take when it is read, without reading it: a kilobyte that unpacks to
//! megabytes of noughts takes gigabytes as values.

use super::FileError;

/// No file has more values: 100,000 elements with all their properties, or a million points.
/// As values these take some 400 MB.
const MAX_VALUES: usize = 4_000_000;

/// Refuses what would be too many values.
pub(super) fn check(json: &[u8]) -> Result<(), FileError> {
    let count = values(json);
    if count > MAX_VALUES {
        return Err(FileError::TooLarge {
            what: "values",
            count,
            limit: MAX_VALUES,
        });
    }
    Ok(())
}

/// The values of a JSON text, about: each is the first of its list or object, or follows a comma.
fn values(json: &[u8]) -> usize {
    let mut count = 1;
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b',' | b'[' | b'{' => count += 1,
            b'"' => pass_string(&mut bytes),
            _ => {}
        }
    }
    count
}

/// Goes behind the end of a string whose beginning was passed.
fn pass_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_counted_and_none_within_strings() {
        let counted = |json: &str| values(json.as_bytes());
        assert_eq!(counted("7"), 1);
        assert_eq!(counted("[1, 2, 3]"), 4);
        assert_eq!(counted(r#"{"a": [1], "b": {"c": "x,[{\",["}}"#), 5);
        assert_eq!(counted(r#"["\\", 1]"#), 3);
        assert_eq!(counted(r#"["never ends,,,"#), 2);
    }

    #[test]
    fn a_list_of_millions_of_noughts_is_refused_before_it_is_read() {
        let noughts = format!("[{}0]", "0,".repeat(MAX_VALUES));
        assert!(matches!(
            check(noughts.as_bytes()),
            Err(FileError::TooLarge { what: "values", .. })
        ));
    }
}
