//! A page whose tier changes, or that is deleted, while people are on it.

use crate::ConnId;
use crate::output::{Outgoing, Output};
use crate::room::Room;
use glade_access::Op;

const CLOSE_GONE: u16 = 4004;

impl Room {
    /// From now on the page has this tier. Whoever may not read that is shown out.
    pub(crate) fn retier(&mut self, tier: String) {
        self.tier = tier;
        let out: Vec<ConnId> = self
            .members
            .iter()
            .filter(|(_, member)| !self.allows(&member.capability, Op::Read))
            .map(|(conn, _)| conn)
            .collect();
        self.show_out(out);
    }

    /// The page was deleted: nothing is taken any more, and everyone is shown out.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        let all = self.members.iter().map(|(conn, _)| conn).collect();
        self.show_out(all);
    }

    fn show_out(&mut self, conns: Vec<ConnId>) {
        for conn in conns {
            self.out.emit(Output::Send {
                conn,
                what: Outgoing::Close {
                    code: CLOSE_GONE,
                    reason: "the page is gone",
                },
            });
            self.leave(conn, None);
        }
    }
}
