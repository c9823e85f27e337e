//! Charts of results, as SVG files that look the same on light and dark pages.
//!
//! A [`Sheet`] is a page of panels below each other; a panel is lines over a scale ([`Lines`]) or
//! bars beside their names ([`Bars`]). Nothing here knows what is measured.

use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 130.0;
const RIGHT: f64 = 30.0;
const LINE_HEIGHT: f64 = 300.0;
const BAR: f64 = 26.0;
const COLORS: [&str; 6] = [
    "#1971c2", "#e8590c", "#2f9e44", "#9c36b5", "#c92a2a", "#5c940d",
];

/// How numbers become places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// Powers of ten; what is not above zero lies at the lower edge.
    Log,
}

/// One line of a chart.
#[derive(Debug, Clone)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

#[derive(Debug, Clone)]
pub struct Lines {
    pub title: String,
    pub x: String,
    pub y: String,
    pub scale: Scale,
    /// A level drawn across, with its name.
    pub limit: Option<(f64, String)>,
    pub series: Vec<Series>,
}

/// One bar: what it is of, how long, and how its length is written.
#[derive(Debug, Clone)]
pub struct Bar {
    pub name: String,
    pub value: f64,
    pub label: String,
}

#[derive(Debug, Clone)]
pub struct Bars {
    pub title: String,
    pub bars: Vec<Bar>,
}

/// A page of panels.
#[derive(Debug, Default)]
pub struct Sheet {
    body: String,
    height: f64,
}

impl Sheet {
    pub fn lines(&mut self, lines: &Lines) {
        let top = self.title(&lines.title);
        let plot = Plot::of(lines, top + 8.0);
        plot.axes(&mut self.body, lines);
        for (at, series) in lines.series.iter().enumerate() {
            let color = color(at);
            let mut path = String::new();
            for (n, &(x, y)) in series.points.iter().enumerate() {
                let (x, y) = plot.place(x, y);
                let step = if n == 0 { 'M' } else { 'L' };
                put(&mut path, format_args!("{step}{x:.1} {y:.1}"));
                put(
                    &mut self.body,
                    format_args!("<circle cx='{x:.1}' cy='{y:.1}' r='3' fill='{color}'/>\n"),
                );
            }
            put(
                &mut self.body,
                format_args!("<path d='{path}' fill='none' stroke='{color}' stroke-width='2'/>\n"),
            );
        }
        self.legend(&lines.series, plot.bottom + 48.0);
        self.height = plot.bottom + 70.0;
    }

    pub fn bars(&mut self, bars: &Bars) {
        let top = self.title(&bars.title) + 6.0;
        let most = bars.bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
        let room = WIDTH - LEFT - RIGHT - 130.0;
        for (at, bar) in bars.bars.iter().enumerate() {
            let y = top + at as f64 * BAR;
            let length = if most > 0.0 {
                bar.value / most * room
            } else {
                0.0
            };
            put(
                &mut self.body,
                format_args!(
                    "<text x='{:.0}' y='{:.1}' text-anchor='end'>{}</text>\
                     <rect x='{LEFT}' y='{y:.1}' width='{:.1}' height='{:.0}' fill='{}'/>\
                     <text x='{:.1}' y='{:.1}'>{}</text>\n",
                    LEFT - 8.0,
                    y + 13.0,
                    escape(&bar.name),
                    length.max(1.0),
                    BAR - 8.0,
                    color(at),
                    LEFT + length + 8.0,
                    y + 13.0,
                    escape(&bar.label),
                ),
            );
        }
        self.height = top + bars.bars.len() as f64 * BAR;
    }

    /// The whole picture.
    pub fn svg(&self) -> String {
        let height = self.height + 16.0;
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height:.0}' \
             width='{WIDTH}' height='{height:.0}' font-family='system-ui, sans-serif' \
             font-size='12' fill='#343a40'>\n\
             <rect width='100%' height='100%' fill='#ffffff'/>\n{}</svg>\n",
            self.body
        )
    }

    fn title(&mut self, title: &str) -> f64 {
        let y = self.height + 28.0;
        put(
            &mut self.body,
            format_args!(
                "<text x='12' y='{y:.0}' font-size='14' font-weight='600'>{}</text>\n",
                escape(title)
            ),
        );
        y + 8.0
    }

    fn legend(&mut self, series: &[Series], y: f64) {
        let mut x = LEFT;
        for (at, one) in series.iter().enumerate() {
            put(
                &mut self.body,
                format_args!(
                    "<rect x='{x:.0}' y='{:.0}' width='12' height='12' fill='{}'/>\
                     <text x='{:.0}' y='{y:.0}'>{}</text>\n",
                    y - 10.0,
                    color(at),
                    x + 17.0,
                    escape(&one.name)
                ),
            );
            x += 40.0 + 7.0 * one.name.chars().count() as f64;
        }
    }
}

/// Where values lie in a panel of lines.
struct Plot {
    top: f64,
    bottom: f64,
    x: (f64, f64),
    y: (f64, f64),
    scale: Scale,
}

impl Plot {
    fn of(lines: &Lines, top: f64) -> Self {
        let points = || lines.series.iter().flat_map(|series| &series.points);
        let most_x = points().map(|p| p.0).fold(1.0, f64::max);
        let limit = lines.limit.as_ref().map_or(0.0, |limit| limit.0);
        let most_y = points().map(|p| p.1).fold(limit, f64::max);
        let y = match lines.scale {
            Scale::Linear => (0.0, nice(most_y)),
            Scale::Log => {
                let least = points().map(|p| p.1).filter(|y| *y > 0.0);
                let least = least.fold(most_y.max(1.0), f64::min);
                (least.log10().floor(), most_y.max(1.0).log10().ceil())
            }
        };
        Self {
            top,
            bottom: top + LINE_HEIGHT,
            x: (0.0, nice(most_x)),
            y: if y.1 > y.0 { y } else { (y.0, y.0 + 1.0) },
            scale: lines.scale,
        }
    }

    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let y = match self.scale {
            Scale::Linear => y,
            Scale::Log if y > 0.0 => y.log10().max(self.y.0),
            Scale::Log => self.y.0,
        };
        let share = |value: f64, (least, most): (f64, f64)| (value - least) / (most - least);
        (
            LEFT + share(x, self.x) * (WIDTH - LEFT - RIGHT),
            self.bottom - share(y, self.y).clamp(0.0, 1.0) * (self.bottom - self.top),
        )
    }

    fn axes(&self, body: &mut String, lines: &Lines) {
        let levels: Vec<f64> = match self.scale {
            Scale::Linear => (0..=5).map(|n| f64::from(n) * self.y.1 / 5.0).collect(),
            Scale::Log => (self.y.0 as i32..=self.y.1 as i32)
                .map(|n| 10f64.powi(n))
                .collect(),
        };
        for level in levels {
            let (_, y) = self.place(0.0, level);
            put(
                body,
                format_args!(
                    "<path d='M{LEFT} {y:.1}H{:.0}' stroke='#dee2e6'/>\
                     <text x='{:.0}' y='{:.1}' text-anchor='end'>{}</text>\n",
                    WIDTH - RIGHT,
                    LEFT - 8.0,
                    y + 4.0,
                    number(level)
                ),
            );
        }
        for n in 0..=5 {
            let value = f64::from(n) * self.x.1 / 5.0;
            let (x, _) = self.place(value, 0.0);
            put(
                body,
                format_args!(
                    "<text x='{x:.1}' y='{:.1}' text-anchor='middle'>{}</text>\n",
                    self.bottom + 16.0,
                    number(value)
                ),
            );
        }
        let (right, middle) = (WIDTH - RIGHT, (self.top + self.bottom) / 2.0);
        put(
            body,
            format_args!(
                "<text x='{right:.0}' y='{:.1}' text-anchor='end'>{}</text>\
                 <text x='{:.0}' y='{middle:.1}' text-anchor='middle' \
                 transform='rotate(-90 {0:.0} {middle:.1})'>{}</text>\n",
                self.bottom + 30.0,
                escape(&lines.x),
                LEFT - 62.0,
                escape(&lines.y),
            ),
        );
        if let Some((level, name)) = &lines.limit {
            let (_, y) = self.place(0.0, *level);
            put(
                body,
                format_args!(
                    "<path d='M{LEFT} {y:.1}H{right:.0}' stroke='#868e96' stroke-dasharray='5 4'/>\
                     <text x='{right:.0}' y='{:.1}' text-anchor='end' fill='#868e96'>{}</text>\n",
                    y - 5.0,
                    escape(name)
                ),
            );
        }
    }
}

fn color(at: usize) -> &'static str {
    COLORS[at % COLORS.len()]
}

/// The next number with one or two digits that are not zero.
fn nice(most: f64) -> f64 {
    let unit = 10f64.powf(most.max(1e-9).log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|step| step * unit)
        .find(|step| *step >= most)
        .unwrap_or(most)
}

fn number(value: f64) -> String {
    if value >= 10_000.0 {
        format!("{}k", trim(value / 1000.0))
    } else {
        trim(value)
    }
}

fn trim(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn put(to: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _written = to.write_fmt(what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_holds_every_series_bar_and_name() {
        let mut sheet = Sheet::default();
        sheet.lines(&Lines {
            title: "a & b".to_owned(),
            x: "edits".to_owned(),
            y: "ms".to_owned(),
            scale: Scale::Log,
            limit: Some((100.0, "limit".to_owned())),
            series: vec![Series {
                name: "ours".to_owned(),
                points: vec![(1000.0, 3.0), (2000.0, 0.0)],
            }],
        });
        sheet.bars(&Bars {
            title: "memory".to_owned(),
            bars: vec![Bar {
                name: "ours".to_owned(),
                value: 3.0,
                label: "3 MB".to_owned(),
            }],
        });
        let svg = sheet.svg();
        assert_eq!(svg.matches("<circle").count(), 2);
        for part in ["a &amp; b", "limit", ">3 MB<", "memory", "</svg>"] {
            assert!(svg.contains(part), "{part} is missing");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn scales_end_at_round_numbers() {
        let ends = [0.3, 7.0, 100.0, 2600.0].map(nice);
        assert_eq!(ends, [0.5, 10.0, 100.0, 5000.0]);
    }
}
