//! Rows and columns: grids, boards, lanes.

use crate::block::{Block, Member, members, stacked};
use crate::draft::Draft;
use crate::geometry::{Point, Rect, Size, at, rect};
use crate::graph::{Graph, Target};
use crate::layered::acyclic;
use crate::layered::rank::{self, Arc};

/// Rows and columns, about as wide as a screen; groups are grids of their own.
pub(crate) fn cells(graph: &Graph) -> Draft {
    let mut draft = Draft::new(graph);
    gridded(graph, None).put(Point::default(), &mut draft);
    draft
}

fn gridded(graph: &Graph, group: Option<usize>) -> Block {
    let blocks: Vec<Block> = members(graph, group)
        .into_iter()
        .map(|it| match it {
            Member::Node(node) => Block::node(graph, node),
            Member::Group(group) => gridded(graph, Some(group)).framed(graph, group),
        })
        .collect();
    let sizes: Vec<Size> = blocks.iter().map(|it| it.size).collect();
    Block::of(
        blocks,
        &grid_corners(&sizes, graph.spacing.node, graph.direction.is_sideways()),
    )
}

/// The corners of cells in rows; each column as wide as its widest, what is smaller in the middle.
fn grid_corners(sizes: &[Size], gap: f64, by_columns: bool) -> Vec<Point> {
    let columns = column_count(sizes, gap);
    let rows = sizes.len().div_ceil(columns.max(1)).max(1);
    let cell = |index: usize| {
        if by_columns {
            (index / rows, index % rows)
        } else {
            (index % columns, index / columns)
        }
    };
    let (mut widths, mut heights) = (vec![0.0_f64; columns], vec![0.0_f64; rows]);
    for (index, size) in sizes.iter().enumerate() {
        let (column, row) = cell(index);
        widths[column] = widths[column].max(size.w);
        heights[row] = heights[row].max(size.h);
    }
    let starts = |all: &[f64]| {
        let mut next = 0.0;
        all.iter()
            .map(|it| {
                let start = next;
                next += it + gap;
                start
            })
            .collect::<Vec<f64>>()
    };
    let (lefts, tops) = (starts(&widths), starts(&heights));
    sizes
        .iter()
        .enumerate()
        .map(|(index, size)| {
            let (column, row) = cell(index);
            at(
                lefts[column] + (widths[column] - size.w) / 2.0,
                tops[row] + (heights[row] - size.h) / 2.0,
            )
        })
        .collect()
}

/// As many columns as make the whole about 1.6 times as wide as it is high.
fn column_count(sizes: &[Size], gap: f64) -> usize {
    let widest = sizes.iter().map(|it| it.w).fold(1.0, f64::max) + gap;
    let highest = sizes.iter().map(|it| it.h).fold(1.0, f64::max) + gap;
    let off = |columns: usize| {
        let rows = sizes.len().div_ceil(columns);
        let aspect = columns as f64 * widest / (rows as f64 * highest);
        let off = if aspect > 1.6 {
            aspect / 1.6
        } else {
            1.6 / aspect
        };
        // A last row that is nearly empty looks forgotten.
        off + 0.5 * (columns * rows - sizes.len()) as f64 / columns as f64
    };
    (1..=sizes.len().clamp(1, 64))
        .min_by(|&a, &b| off(a).total_cmp(&off(b)))
        .unwrap_or(1)
}

/// Columns of cards, all as wide and as high as each other.
pub(crate) fn board(graph: &Graph) -> Draft {
    let mut draft = Draft::new(graph);
    let gap = graph.spacing.node / 2.0;
    let mut columns: Vec<Block> = Vec::new();
    let mut loose = Vec::new();
    for member in members(graph, None) {
        match member {
            Member::Group(group) => {
                columns.push(stacked(graph, Some(group), gap).framed(graph, group))
            }
            Member::Node(node) => loose.push(Block::node(graph, node)),
        }
    }
    even_out(&mut columns);
    if !loose.is_empty() {
        columns.push(column_of(loose, gap));
    }
    let across = graph.direction.is_sideways();
    let mut next = 0.0;
    for column in columns {
        let (corner, length) = if across {
            (at(0.0, next), column.size.h)
        } else {
            (at(next, 0.0), column.size.w)
        };
        next += length + gap;
        column.put(corner, &mut draft);
    }
    draft
}

fn column_of(blocks: Vec<Block>, gap: f64) -> Block {
    let mut y = 0.0;
    let corners: Vec<Point> = blocks
        .iter()
        .map(|it| {
            let corner = at(0.0, y);
            y += it.size.h + gap;
            corner
        })
        .collect();
    Block::of(blocks, &corners)
}

/// The frames as wide as the widest and as high as the highest, with their cards in the middle.
fn even_out(columns: &mut [Block]) {
    let most = columns.iter().fold(Size::default(), |most, it| Size {
        w: most.w.max(it.size.w),
        h: most.h.max(it.size.h),
    });
    for column in columns {
        let by = at((most.w - column.size.w) / 2.0, 0.0);
        let block = std::mem::take(column).moved(by);
        let mut block = Block {
            size: most,
            ..block
        };
        if let Some((_, frame, title)) = block.groups.last_mut() {
            *frame = Rect::of(Point::default(), most);
            title.x -= by.x;
        }
        *column = block;
    }
}

/// A flow whose outermost groups are lanes along it: a layer is a row across all lanes.
pub(crate) fn lanes(graph: &Graph) -> Draft {
    let lanes: Vec<Option<usize>> = lane_order(graph);
    let lane_of = |node: usize| {
        let outermost = graph.groups_around(graph.nodes[node].group).last();
        lanes.iter().position(|&it| it == outermost).unwrap_or(0)
    };
    let ranks = ranks(graph);
    let rows = ranks.iter().max().map_or(0, |&it| it + 1);
    let mut table = vec![vec![Vec::new(); lanes.len()]; rows];
    for (node, &rank) in ranks.iter().enumerate() {
        table[rank][lane_of(node)].push(node);
    }
    let spacing = graph.spacing;
    let size = |node: usize| graph.direction.size(graph.nodes[node].size);
    let width = |nodes: &Vec<usize>| {
        nodes.iter().map(|&it| size(it).w).sum::<f64>()
            + spacing.node * nodes.len().saturating_sub(1) as f64
    };
    let title = |lane: usize| {
        lanes[lane].map_or(Size::default(), |it| {
            graph.direction.size(graph.groups[it].title)
        })
    };
    let widths: Vec<f64> = (0..lanes.len())
        .map(|lane| {
            let widest = table
                .iter()
                .map(|row| width(&row[lane]))
                .fold(0.0, f64::max);
            widest.max(title(lane).w) + spacing.padding * 2.0
        })
        .collect();
    let head = (0..lanes.len())
        .map(|lane| title(lane).h)
        .fold(0.0, f64::max);
    // Room for the longest label between two layers.
    let labels = graph
        .links
        .iter()
        .filter_map(|it| it.label)
        .map(|it| graph.direction.size(it).h);
    let between = spacing
        .layer
        .max(labels.fold(0.0, f64::max) + spacing.edge * 2.0);
    let mut draft = Draft::new(graph);
    let mut y = head + spacing.padding * 1.5;
    for row in &table {
        let height = row
            .iter()
            .flatten()
            .map(|&it| size(it).h)
            .fold(0.0, f64::max);
        let mut left = 0.0;
        for (nodes, lane_width) in row.iter().zip(&widths) {
            let mut x = left + (lane_width - width(nodes)) / 2.0;
            for &node in nodes {
                let it = size(node);
                draft.nodes[node] =
                    graph
                        .direction
                        .rect(rect(x, y + (height - it.h) / 2.0, it.w, it.h));
                x += it.w + spacing.node;
            }
            left += lane_width;
        }
        y += height + between;
    }
    let bottom = if rows == 0 {
        y
    } else {
        y - between + spacing.padding
    };
    frame_lanes(graph, &lanes, &widths, bottom, &mut draft);
    draft
}

fn frame_lanes(
    graph: &Graph,
    lanes: &[Option<usize>],
    widths: &[f64],
    bottom: f64,
    draft: &mut Draft,
) {
    draft.frame_groups(graph);
    let mut left = 0.0;
    for (lane, width) in lanes.iter().zip(widths) {
        if let Some(group) = *lane {
            let title = graph.direction.size(graph.groups[group].title);
            let frame = rect(left, 0.0, *width, bottom);
            let title = rect(
                left + (width - title.w) / 2.0,
                graph.spacing.padding * 0.75,
                title.w,
                title.h,
            );
            draft.groups[group] = graph.direction.rect(frame);
            draft.titles[group] = graph.direction.rect(title);
        }
        left += width;
    }
}

/// The outermost groups as given, then what is in none.
fn lane_order(graph: &Graph) -> Vec<Option<usize>> {
    let groups = (0..graph.groups.len()).filter(|&it| graph.groups[it].parent.is_none());
    let mut lanes: Vec<Option<usize>> = groups.map(Some).collect();
    if graph.nodes.iter().any(|it| it.group.is_none()) {
        lanes.push(None);
    }
    lanes
}

fn ranks(graph: &Graph) -> Vec<usize> {
    let first = |group: usize| (0..graph.nodes.len()).find(|&node| graph.is_in(node, group));
    let node = |target: Target| match target {
        Target::Node(node) => Some(node),
        Target::Group(group) => first(group),
    };
    let ends = graph
        .links
        .iter()
        .filter_map(|it| Some((node(it.from)?, node(it.to)?)));
    let ends: Vec<(usize, usize)> = ends.filter(|(from, to)| from != to).collect();
    let turned = acyclic::turned(graph.nodes.len(), &ends);
    let arcs: Vec<Arc> = ends
        .iter()
        .zip(turned)
        .map(|(&(from, to), turned)| {
            let (from, to) = if turned { (to, from) } else { (from, to) };
            Arc {
                from,
                to,
                least: 1,
                weight: 1,
            }
        })
        .collect();
    rank::ranks(graph.nodes.len(), &arcs)
        .into_iter()
        .map(|it| it.max(0) as usize)
        .collect()
}
