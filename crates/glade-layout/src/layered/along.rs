//! Where each layer is along the flow, and how lines get from one to the next.

use crate::geometry::{Point, at};
use crate::structure::Spacing;

use super::net::{Input, Net, TitleSide, What};
use super::tracks::{self, Jog};

/// The layers' bands, and the tracks between them.
pub(crate) struct Bands {
    pub top: Vec<f64>,
    pub height: Vec<f64>,
    /// By hop: where its horizontal piece runs, if it has one.
    pub track: Vec<Option<f64>>,
}

pub(crate) fn bands(net: &Net, input: &Input, x: &[f64]) -> Bands {
    let layers = net.layers.len();
    let height: Vec<f64> = net
        .layers
        .iter()
        .map(|layer| band_height(net, layer))
        .collect();
    let mut bands = Bands {
        top: vec![0.0; layers],
        height,
        track: vec![None; net.hops.len()],
    };
    let mut y = 0.0;
    for rank in 0..layers {
        bands.top[rank] = y;
        y += bands.height[rank];
        if rank + 1 < layers {
            y += bands.between(net, input, x, rank, y);
        }
    }
    bands
}

fn band_height(net: &Net, layer: &[usize]) -> f64 {
    let heights = layer.iter().map(|&it| net.vertices[it].size.h);
    heights.fold(0.0, f64::max)
}

impl Bands {
    /// The room between a layer, which ends at `from`, and the next; sets the tracks in it.
    fn between(&mut self, net: &Net, input: &Input, x: &[f64], rank: usize, from: f64) -> f64 {
        let spacing = &input.spacing;
        let hops: Vec<usize> = net.layers[rank]
            .iter()
            .flat_map(|&it| net.down[it].iter().copied())
            .collect();
        let jogs: Vec<Jog> = hops.iter().map(|&hop| jog(net, x, hop)).collect();
        let (ended, begun) = borders(net, rank);
        let (ended, begun) = (ended * spacing.padding, begun * spacing.padding);
        let base = base(net, rank, spacing);
        let title = title_room(net, input, rank);
        if !input.is_elbow {
            let widest = jogs
                .iter()
                .map(|it| (it.top - it.bottom).abs())
                .fold(0.0, f64::max);
            return (ended + begun + base * (1.0 + (widest / 1600.0).min(0.6))).max(title);
        }
        let (track, count) = tracks::assign(&jogs, spacing.edge / 2.0);
        let lane = (base / (count + 1) as f64).max(spacing.edge);
        for (&hop, track) in hops.iter().zip(&track) {
            self.track[hop] = track.map(|track| from + ended + lane * (track + 1) as f64);
        }
        (ended + begun + lane * (count + 1) as f64).max(title)
    }
}

pub(crate) fn jog(net: &Net, x: &[f64], hop: usize) -> Jog {
    let hop = &net.hops[hop];
    Jog {
        top: x[hop.from] + hop.from_offset,
        bottom: x[hop.to] + hop.to_offset,
    }
}

fn base(net: &Net, rank: usize, spacing: &Spacing) -> f64 {
    let has_items = |rank: usize| {
        net.layers[rank]
            .iter()
            .any(|&it| matches!(net.vertices[it].what, What::Item(_)))
    };
    let has_label = |rank: usize| {
        net.layers[rank]
            .iter()
            .any(|&it| matches!(net.vertices[it].what, What::Label(_)))
    };
    match (has_items(rank), has_items(rank + 1)) {
        (true, true) => spacing.layer,
        (true, false) => spacing.layer / 2.0,
        (false, true) if has_label(rank) => spacing.layer / 2.0,
        (false, true) => spacing.edge,
        (false, false) => spacing.edge,
    }
}

/// How many borders lie between a layer and the next: of groups that end, and of groups that begin.
fn borders(net: &Net, rank: usize) -> (f64, f64) {
    let deepest = |is: &dyn Fn((usize, usize)) -> bool| {
        let groups = 0..net.frames.len();
        let counts = groups.filter_map(|group| {
            let around = std::iter::successors(Some(group), |&at| net.frames[at].parent);
            let count = around.filter(|&it| net.spans[it].is_some_and(is)).count();
            (count > 0).then_some(count)
        });
        counts.max().unwrap_or(0)
    };
    let ended = deepest(&|(_, last)| last == rank) as f64;
    let begun = deepest(&|(first, _)| first == rank + 1) as f64;
    (ended, begun)
}

/// A title that runs along the flow may be longer than its group: the room after it makes up for that.
fn title_room(net: &Net, input: &Input, rank: usize) -> f64 {
    if input.titles != TitleSide::Across {
        return 0.0;
    }
    let mut room: f64 = 0.0;
    for (group, frame) in net.frames.iter().enumerate() {
        let Some((first, last)) = net.spans[group].filter(|&(_, last)| last == rank) else {
            continue;
        };
        let layers = (first..=last).map(|rank| band_height(net, &net.layers[rank]));
        let length: f64 = layers.sum::<f64>() + (last - first) as f64 * input.spacing.layer;
        room = room.max(frame.title.h - length + input.spacing.layer + 2.0 * input.spacing.padding);
    }
    room
}

/// A line's points, from its first layer to its last.
pub(crate) fn guide(
    net: &Net,
    bands: &Bands,
    input: &Input,
    x: &[f64],
    line: usize,
) -> Option<Vec<Point>> {
    let chain = &net.chains[line];
    let mut points = Vec::new();
    for &hop in chain {
        let Jog { top, bottom } = jog(net, x, hop);
        let it = &net.hops[hop];
        points.push(at(top, leaves_at(net, bands, it.from, true)));
        if input.is_elbow {
            if let Some(track) = bands.track[hop] {
                points.push(at(top, track));
                points.push(at(bottom, track));
            } else if top != bottom {
                points.push(at(bottom, points.last().map_or(0.0, |it: &Point| it.y)));
            }
        }
        points.push(at(bottom, leaves_at(net, bands, it.to, false)));
    }
    if net.turned[line] {
        points.reverse();
    }
    (!points.is_empty()).then_some(points)
}

/// Where a line leaves a vertex: an item's own side, or the end of the layer's band.
fn leaves_at(net: &Net, bands: &Bands, vertex: usize, below: bool) -> f64 {
    let it = &net.vertices[vertex];
    let (top, height) = (bands.top[it.rank], bands.height[it.rank]);
    let inside = if matches!(it.what, What::Item(_)) {
        (height - it.size.h) / 2.0
    } else {
        0.0
    };
    if below {
        top + height - inside
    } else {
        top + inside
    }
}
