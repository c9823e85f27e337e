//! Connected parts.

/// The connected parts, each in the order of its members, in the order of their first.
pub(crate) fn connected(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut above: Vec<usize> = (0..count).collect();
    for &(from, to) in edges {
        let (one, other) = (top(&mut above, from), top(&mut above, to));
        above[one.max(other)] = one.min(other);
    }
    let mut place = vec![usize::MAX; count];
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for vertex in 0..count {
        let root = top(&mut above, vertex);
        if place[root] == usize::MAX {
            place[root] = parts.len();
            parts.push(Vec::new());
        }
        parts[place[root]].push(vertex);
    }
    parts
}

fn top(above: &mut [usize], mut vertex: usize) -> usize {
    while above[vertex] != vertex {
        above[vertex] = above[above[vertex]];
        vertex = above[vertex];
    }
    vertex
}
