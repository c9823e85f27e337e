//! Placing boxes: chains in rows that wind like a snake, everything else in columns from left to
//! right, so that arrows are short, straight and clear of other boxes.

use glade_canvas::text::{FontFamily, measure, wrap};
use glade_canvas::{Point, Rect, Size};

use super::flow::{Edge, Graph, Node};
use super::ways::{clear_ways, middle};

const FONT_SIZE: f64 = 20.0;
/// Between boxes of a row or column.
const GAP_X: f64 = 90.0;
const GAP_Y: f64 = 70.0;
/// How far an arrow from a box to itself reaches out.
const LOOP: f64 = 80.0;
/// The widest text on one line in a box.
const MAX_TEXT: f64 = 210.0;
/// Above this many boxes nobody waits for the search for a nicer picture.
const SEARCHED: usize = 40;

/// The sizes of all boxes, each large enough for its words.
pub fn sizes(graph: &Graph) -> Vec<Size> {
    graph.nodes.iter().map(box_size).collect()
}

fn box_size(node: &Node) -> Size {
    let wrapped = wrap(&node.name, FontFamily::Excalifont, FONT_SIZE, MAX_TEXT);
    let text = measure(&wrapped, FontFamily::Excalifont, FONT_SIZE);
    let (w, h) = (text.w.ceil() + 14.0, text.h.ceil() + 14.0);
    if node.question {
        // A diamond offers its text half of each side.
        Size::new((2.0 * w).max(160.0), (2.0 * h).max(100.0))
    } else {
        Size::new((w + 26.0).max(120.0), (h + 20.0).max(70.0))
    }
}

/// How much room the label of an arrow takes.
pub fn label_size(edge: &Edge) -> Size {
    match &edge.label {
        Some(label) => {
            let wrapped = wrap(label, FontFamily::Excalifont, FONT_SIZE, 220.0);
            measure(&wrapped, FontFamily::Excalifont, FONT_SIZE)
        }
        None => Size::default(),
    }
}

/// A place for every box, all together from (0, 0) on.
pub fn place(graph: &Graph, max_width: f64) -> Vec<Rect> {
    let sizes = sizes(graph);
    let mut rects = match ring(graph) {
        Some((order, closed)) => snake(graph, &sizes, &order, max_width, closed),
        None => columns(graph, &sizes),
    };
    let left = rects
        .iter()
        .map(|rect| rect.x)
        .fold(f64::INFINITY, f64::min);
    let top = rects
        .iter()
        .map(|rect| rect.y)
        .fold(f64::INFINITY, f64::min);
    for rect in &mut rects {
        *rect = Rect::new(
            (rect.x - left).round(),
            (rect.y - top).round(),
            rect.w,
            rect.h,
        );
    }
    rects
}

/// The room that a drawing takes, loops and labels that stand out included.
pub fn extent(graph: &Graph, rects: &[Rect]) -> Rect {
    let mut all = rects
        .iter()
        .copied()
        .reduce(|all, rect| all.union(&rect))
        .unwrap_or_default();
    for edge in &graph.edges {
        let (from, to) = (rects[edge.from], rects[edge.to]);
        if edge.from == edge.to {
            all = all.union(&Rect::new(from.x, from.y, from.w + LOOP, from.h + LOOP));
        }
        if edge.label.is_some() {
            let reach = if edge.from == edge.to { LOOP } else { 0.0 };
            let middle = middle(&from, &to).translate(reach, reach);
            all = all.union(&Rect::centered(middle, label_size(edge)));
        }
    }
    all
}

fn has_loop(graph: &Graph, node: usize) -> bool {
    graph
        .edges
        .iter()
        .any(|edge| edge.from == node && edge.to == node)
}

/// The boxes in order if they form one chain or one circle, and whether it is closed.
fn ring(graph: &Graph) -> Option<(Vec<usize>, bool)> {
    let count = graph.nodes.len();
    let mut next = vec![None; count];
    let mut has_before = vec![false; count];
    for edge in graph.edges.iter().filter(|edge| edge.from != edge.to) {
        match next[edge.from] {
            Some(known) if known == edge.to => continue, // another label of the same way
            Some(_) => return None,
            None if has_before[edge.to] => return None,
            None => {}
        }
        next[edge.from] = Some(edge.to);
        has_before[edge.to] = true;
    }
    let start = (0..count).find(|node| !has_before[*node]).unwrap_or(0);
    let mut order = vec![start];
    let mut at = start;
    while let Some(to) = next[at] {
        if to == start {
            return (order.len() == count && count > 2).then_some((order, true));
        }
        order.push(to);
        at = to;
    }
    (order.len() == count).then_some((order, false))
}

/// Rows, every other one from right to left, so that the way from row to row is straight down.
fn snake(
    graph: &Graph,
    sizes: &[Size],
    order: &[usize],
    max_width: f64,
    closed: bool,
) -> Vec<Rect> {
    let label_between = |from: usize, to: usize| {
        let labels = graph
            .edges
            .iter()
            .filter(|edge| edge.from == from && edge.to == to)
            .map(label_size);
        labels.fold(Size::default(), |all, one| {
            Size::new(all.w.max(one.w), all.h + one.h)
        })
    };
    let cell = |node: usize| {
        let extra = if has_loop(graph, node) {
            2.0 * LOOP
        } else {
            0.0
        };
        Size::new(sizes[node].w + extra, sizes[node].h + extra)
    };
    // A circle has two rows, so that its last arrow leads straight up.
    let per_row = if closed {
        order.len().div_ceil(2)
    } else {
        usize::MAX
    };
    let mut rects = vec![Rect::default(); sizes.len()];
    let mut row: Vec<(usize, f64)> = Vec::new(); // node, middle x
    let (mut direction, mut edge_x, mut row_start_x, mut top) = (1.0, 0.0, 0.0, 0.0);
    let mut bottoms = 0.0;
    let mut finish = |row: &mut Vec<(usize, f64)>, top: f64| -> f64 {
        let height = row
            .iter()
            .map(|(node, _)| cell(*node).h)
            .fold(0.0, f64::max);
        for (node, x) in row.drain(..) {
            rects[node] = Rect::centered(Point::new(x, top + height / 2.0), sizes[node]);
        }
        top + height
    };
    for (at, node) in order.iter().copied().enumerate() {
        let size = cell(node);
        if row.is_empty() {
            row.push((node, row_start_x));
            edge_x = row_start_x + direction * size.w / 2.0;
            continue;
        }
        let before = order[at - 1];
        let label = label_between(before, node);
        let gap = GAP_X.max(label.w + 50.0);
        let end = edge_x + direction * (gap + size.w);
        let first = row
            .first()
            .map_or(0.0, |(node, x)| x - direction * cell(*node).w / 2.0);
        if ((end - first).abs() > max_width && !closed) || row.len() >= per_row {
            row_start_x = row.last().map_or(0.0, |(_, x)| *x);
            bottoms = finish(&mut row, top);
            top = bottoms + GAP_Y + label.h;
            direction = -direction;
            row.push((node, row_start_x));
            edge_x = row_start_x + direction * size.w / 2.0;
        } else {
            row.push((node, edge_x + direction * (gap + size.w / 2.0)));
            edge_x = end;
        }
    }
    finish(&mut row, top.max(bottoms));
    rects
}

/// Columns by how far a box is from the beginning.
fn columns(graph: &Graph, sizes: &[Size]) -> Vec<Rect> {
    let layers = layers(graph);
    let count = layers.iter().max().map_or(0, |last| last + 1);
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (node, layer) in layers.iter().enumerate() {
        columns[*layer].push(node);
    }
    order_columns(graph, &layers, &mut columns);
    let cell = |node: usize| {
        let extra = if has_loop(graph, node) {
            2.0 * LOOP
        } else {
            0.0
        };
        Size::new(sizes[node].w + extra, sizes[node].h + extra)
    };
    let mut rects = vec![Rect::default(); sizes.len()];
    let mut x = 0.0;
    for (at, column) in columns.iter().enumerate() {
        let width = column.iter().map(|node| cell(*node).w).fold(0.0, f64::max);
        let height: f64 = column.iter().map(|node| cell(*node).h).sum::<f64>()
            + GAP_Y * (column.len().max(1) - 1) as f64;
        let mut y = -height / 2.0;
        for node in column {
            let size = cell(*node);
            rects[*node] =
                Rect::centered(Point::new(x + width / 2.0, y + size.h / 2.0), sizes[*node]);
            y += size.h + GAP_Y;
        }
        let labels = graph
            .edges
            .iter()
            .filter(|edge| layers[edge.from].min(layers[edge.to]) == at)
            .map(|edge| label_size(edge).w);
        x += width + GAP_X.max(labels.fold(0.0, f64::max) + 60.0);
    }
    if sizes.len() <= SEARCHED {
        clear_ways(graph, &columns, &mut rects);
    }
    rects
}

/// The longest way to each box; arrows that lead back do not count.
fn layers(graph: &Graph) -> Vec<usize> {
    let count = graph.nodes.len();
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in graph.edges.iter().filter(|edge| edge.from != edge.to) {
        out[edge.from].push(edge.to);
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; count];
    let mut forward: Vec<(usize, usize)> = Vec::new();
    let mut finished = Vec::new();
    for start in 0..count {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        let mut stack = vec![(start, 0)];
        while let Some((node, child)) = stack.pop() {
            let Some(to) = out[node].get(child).copied() else {
                marks[node] = Mark::Done;
                finished.push(node);
                continue;
            };
            stack.push((node, child + 1));
            if marks[to] != Mark::Open {
                forward.push((node, to));
            }
            if marks[to] == Mark::New {
                marks[to] = Mark::Open;
                stack.push((to, 0));
            }
        }
    }
    let mut layers = vec![0; count];
    for node in finished.into_iter().rev() {
        for (_, to) in forward.iter().filter(|(from, _)| *from == node) {
            layers[*to] = layers[*to].max(layers[node] + 1);
        }
    }
    layers
}

/// Within a column, boxes stand at about the height of what leads to them.
fn order_columns(graph: &Graph, layers: &[usize], columns: &mut [Vec<usize>]) {
    let mut rank = vec![0.0; layers.len()];
    for column in columns.iter_mut() {
        let mut keyed: Vec<(f64, usize)> = column
            .iter()
            .map(|node| {
                let before: Vec<f64> = graph
                    .edges
                    .iter()
                    .filter(|edge| edge.to == *node && layers[edge.from] < layers[*node])
                    .map(|edge| rank[edge.from])
                    .collect();
                let mean = if before.is_empty() {
                    f64::MAX
                } else {
                    before.iter().sum::<f64>() / before.len() as f64
                };
                (mean, *node)
            })
            .collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        *column = keyed.into_iter().map(|(_, node)| node).collect();
        for (at, node) in column.iter().enumerate() {
            rank[*node] = at as f64 - (column.len() as f64 - 1.0) / 2.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::flow;
    use super::super::ways::crossings;
    use super::*;

    fn placed(text: &str, max_width: f64) -> Vec<Rect> {
        place(&flow::parse(text).unwrap().graph, max_width)
    }

    #[test]
    fn a_chain_goes_from_left_to_right() {
        let rects = placed("A -> B -> C", 1000.0);
        assert_eq!(
            rects
                .iter()
                .map(|rect| (rect.x, rect.y))
                .collect::<Vec<_>>(),
            [(0.0, 0.0), (210.0, 0.0), (420.0, 0.0)]
        );
    }

    #[test]
    fn a_long_chain_winds_in_rows() {
        let rects = placed("A -> B -> C -> D -> E", 600.0);
        let middles: Vec<(f64, f64)> = rects
            .iter()
            .map(|rect| (rect.center().x, rect.center().y))
            .collect();
        assert_eq!(
            middles,
            [
                (60.0, 35.0),
                (270.0, 35.0),
                (480.0, 35.0),
                (480.0, 175.0),
                (270.0, 175.0)
            ]
        );
    }

    #[test]
    fn a_circle_closes_without_crossing_a_box() {
        for text in [
            "A -> B -> C -> A",
            "A -> B -> C -> D -> A",
            "A->B->C->D->E->A",
        ] {
            let graph = flow::parse(text).unwrap().graph;
            assert_eq!(crossings(&graph, &place(&graph, 1000.0)), 0, "{text}");
        }
    }

    #[test]
    fn a_shortcut_keeps_clear_of_what_it_passes() {
        for text in [
            "A -> B -> C; A -> C",
            "A -> B; A -> C; B -> D; C -> D; A -> D",
            "A -> B: yes; A -> C: no; B -> E; C -> E",
        ] {
            let graph = flow::parse(text).unwrap().graph;
            assert_eq!(crossings(&graph, &place(&graph, 1000.0)), 0, "{text}");
        }
    }
}
