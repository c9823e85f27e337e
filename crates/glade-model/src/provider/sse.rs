//! Server-sent events out of bytes, cut anywhere: inside a line, inside a letter, between `\r` and `\n`.
//!
//! Bytes are kept until a line is whole, so half a UTF-8 letter never becomes text; each byte is
//! looked at once.

/// No honest event is longer. Gemini sends whole function calls in one, so the bound is wide.
const LONGEST_EVENT: usize = 4 * 1024 * 1024;
/// The most of one answer on the wire, comments and what no reader understands included. Providers
/// wrap each word in a few hundred bytes of JSON.
const LONGEST_ANSWER: usize = 128 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseEvent {
    /// Empty where the stream names none.
    pub name: String,
    pub data: String,
}

/// An event, or the whole answer, went on and on.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong {
    /// What was too long, in words.
    pub most: &'static str,
}

#[derive(Debug, Default)]
pub struct SseReader {
    line: Vec<u8>,
    /// The last byte was `\r`: a `\n` right after it belongs to the same line end.
    after_cr: bool,
    begun: bool,
    name: String,
    data: Option<String>,
    /// Bytes read so far.
    read: usize,
}

impl SseReader {
    /// The events that these bytes complete.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, TooLong> {
        self.read += bytes.len();
        if self.read > LONGEST_ANSWER {
            return Err(TooLong {
                most: "128 MB on the wire",
            });
        }
        let mut events = Vec::new();
        for &byte in bytes {
            let after_cr = std::mem::take(&mut self.after_cr);
            match byte {
                b'\n' if after_cr => {}
                b'\n' => events.extend(self.end_line()),
                b'\r' => {
                    self.after_cr = true;
                    events.extend(self.end_line());
                }
                other => self.line.push(other),
            }
        }
        let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
        if held > LONGEST_EVENT {
            return Err(TooLong {
                most: "4 MB in one event",
            });
        }
        Ok(events)
    }

    /// The stream is over. Servers that forget the last blank line still meant the event before it;
    /// where the stream was cut inside it, what is left is no whole JSON, and readers pass over it.
    pub fn end(&mut self) -> Option<SseEvent> {
        if !self.line.is_empty() {
            let whole_event = self.end_line();
            debug_assert!(whole_event.is_none(), "only a blank line ends an event");
        }
        self.end_line()
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let mut line = line.as_ref();
        if !std::mem::replace(&mut self.begun, true) {
            line = line.trim_start_matches('\u{feff}');
        }
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            let data = self.data.take()?;
            return Some(SseEvent { name, data });
        }
        // Servers that fail in the middle of a stream may forget its form.
        let (field, value) = match line.split_once(':') {
            _ if line.starts_with('{') => ("data", line),
            Some(("error", value)) => {
                "error".clone_into(&mut self.name);
                ("data", value)
            }
            Some(parts) => parts,
            None => (line, ""),
        };
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // Comments keep a line alive; ids and retry times are for clients that reconnect.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, data: &str) -> SseEvent {
        SseEvent {
            name: name.to_owned(),
            data: data.to_owned(),
        }
    }

    #[test]
    fn every_line_end_comment_and_field_of_the_standard_is_read() {
        let text =
            "\u{feff}: hello\r\nevent: ping\r\ndata: a\r\n\r\ndata:b\rdata: c\r\rid: 7\n\ndata\n\n";
        let mut reader = SseReader::default();
        assert_eq!(
            reader.push(text.as_bytes()).unwrap(),
            [event("ping", "a"), event("", "b\nc"), event("", "")]
        );
        assert_eq!(reader.end(), None);
    }

    #[test]
    fn bytes_cut_anywhere_give_the_same_events() {
        let bytes = "event: é\r\ndata: {\"t\":\"Füße 🧚\"}\r\n\r\ndata: x\n\n".as_bytes();
        let whole = SseReader::default().push(bytes).unwrap();
        assert_eq!(whole.len(), 2);
        for cut in 0..=bytes.len() {
            let mut reader = SseReader::default();
            let mut events = reader.push(&bytes[..cut]).unwrap();
            events.extend(reader.push(&bytes[cut..]).unwrap());
            assert_eq!(events, whole, "cut at {cut}");
        }
    }

    #[test]
    fn a_last_event_without_its_blank_line_is_heard_at_the_end() {
        let mut reader = SseReader::default();
        assert_eq!(reader.push(b"data: [DONE]").unwrap(), []);
        assert_eq!(reader.end(), Some(event("", "[DONE]")));
    }

    #[test]
    fn an_endless_line_is_refused() {
        let mut reader = SseReader::default();
        let megabyte = vec![b'x'; 1024 * 1024];
        let most = "4 MB in one event";
        let pushed: Vec<_> = (0..5).map(|_| reader.push(&megabyte)).collect();
        assert_eq!(pushed[4], Err(TooLong { most }));
        assert!(pushed[..4].iter().all(Result::is_ok));
    }

    #[test]
    fn comments_without_end_are_refused() {
        let mut reader = SseReader::default();
        let comments = ": still here\n".repeat(80_000);
        let refused = (0..200).find_map(|_| reader.push(comments.as_bytes()).err());
        let most = "128 MB on the wire";
        assert_eq!(refused, Some(TooLong { most }));
    }
}
