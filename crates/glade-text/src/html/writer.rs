//! Puts HTML together. Names of tags and attributes are written in this program; everything else
//! is escaped, wherever it goes.

pub struct Writer {
    out: String,
}

impl Writer {
    pub fn document() -> Self {
        Self {
            out: "<!DOCTYPE html>\n".to_owned(),
        }
    }

    pub fn open(&mut self, tag: &'static str, attributes: &[(&'static str, &str)]) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            self.text(value);
            self.out.push('"');
        }
        self.out.push('>');
    }

    pub fn close(&mut self, tag: &'static str) {
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    pub fn text(&mut self, words: &str) {
        for letter in words.chars() {
            match letter {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                // No HTML file may hold it.
                '\0' => {}
                other => self.out.push(other),
            }
        }
    }

    pub fn line(&mut self) {
        self.out.push('\n');
    }

    pub fn finish(self) -> String {
        self.out
    }
}
