//! What every database behind a [`Store`] must do. The behaviours are generic over the place where
//! stores are opened; [`suite!`] makes a test of each for one place. A behaviour that is not listed
//! is dead code, which the compiler names.

use std::future::Future;

use glade_store::Store;
use tempfile::TempDir;

/// Somewhere to keep state, empty at first and gone with the value. Opening it again, once the
/// last store is dropped, finds what was written.
pub trait Place: Sized {
    fn empty() -> Self;
    fn open(&self) -> Store;

    fn opened() -> (Self, Store) {
        let place = Self::empty();
        let store = place.open();
        (place, store)
    }
}

/// A data folder with SQLite.
pub struct Folder(TempDir);

impl Place for Folder {
    fn empty() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn open(&self) -> Store {
        Store::open(self.0.path()).unwrap()
    }
}

/// For behaviours that wait on writes.
pub fn waiting<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap()
        .block_on(work)
}

macro_rules! suite {
    ($name:ident, $place:ty, { $($file:ident: [$($behaviour:ident),* $(,)?],)* }) => {
        mod $name {
            $($(
                #[test]
                fn $behaviour() {
                    crate::$file::$behaviour::<$place>();
                }
            )*)*
        }
    };
}

suite!(sqlite, crate::suite::Folder, {
    pages: [
        pages_come_in_the_order_of_their_positions,
        changing_a_pages_row_keeps_what_lies_under_it,
        deleting_a_page_takes_its_log_and_touches_and_leaves_its_runs,
        a_peer_belongs_to_the_first_that_writes_under_it_on_each_page,
        the_log_tells_who_wrote_what_and_when,
        a_snapshot_that_goes_back_or_ahead_is_refused,
        a_page_in_the_trash_is_not_found_until_it_is_brought_back_whole,
        snapshot_and_rest_of_the_log_equal_the_whole_log,
        every_peer_comes_back_as_it_went_in,
    ],
    history: [
        runs_are_found_by_what_is_asked_newest_first,
        every_status_comes_back_as_it_went_in,
        why_names_the_runs_that_touched_an_element_oldest_first,
        touches_are_replaced_and_closed_by_key_and_closed_ones_stay_as_history,
        an_epoch_keeps_the_past_in_the_archive_and_counts,
        the_spans_of_what_can_be_undone_or_is_under_way_are_pending,
        tasks_come_in_order_and_go_with_their_page,
        a_chat_reads_in_the_order_its_messages_first_came,
        a_chat_is_read_no_further_back_than_memory_allows,
        a_dismissed_fairy_leaves_its_name_its_runs_and_its_chat,
        a_runs_spans_cover_exactly_what_was_put,
        the_pages_that_a_run_read_are_known_by_run,
    ],
    code: [
        what_a_run_did_to_files_comes_back_by_run_and_by_path,
        a_conversation_goes_with_its_messages_and_leaves_its_runs,
    ],
    writing: [
        writes_are_applied_in_the_order_of_their_calls_whatever_the_order_of_awaits,
        a_write_happens_even_if_nobody_waits_for_it,
        a_failing_change_leaves_nothing_of_its_write_and_everything_of_the_others,
        a_row_under_a_missing_one_is_refused_by_name,
        writes_that_make_no_sense_are_refused_whole,
        fifty_writers_at_once_are_all_durable_and_each_in_its_own_order,
        what_was_acknowledged_is_read_at_once,
    ],
    durability: [
        every_kind_of_row_comes_back_whole_after_a_reopen,
        writes_queued_when_the_store_is_dropped_are_finished,
    ],
});
