use std::time::Duration;

use super::*;

fn slots(in_all: usize, per_address: usize) -> Arc<Slots> {
    Arc::new(Slots::new(Connections {
        in_all,
        per_address,
    }))
}

fn from(last: u8) -> IpAddr {
    IpAddr::from([127, 0, 0, last])
}

fn was_ended(slot: &Slot) -> bool {
    slot.shared.ended.load(Ordering::Acquire)
}

fn pause() {
    std::thread::sleep(Duration::from_millis(3));
}

#[test]
fn the_longest_silent_stranger_makes_room_and_the_known_stay() {
    let slots = slots(3, 9);
    let known = slots.admit(from(1), false).unwrap();
    known.set_known();
    let talks = slots.admit(from(2), false).unwrap();
    let silent = slots.admit(from(3), false).unwrap();
    pause();
    talks.heard(1).unwrap();
    let newcomer = slots.admit(from(4), false).unwrap();
    let ended = [&known, &talks, &silent, &newcomer].map(was_ended);
    assert_eq!(ended, [false, false, true, false]);
    assert_eq!(slots.count(), 3);
}

#[test]
fn somebody_with_a_token_gets_in_beside_any_number_of_strangers() {
    let slots = slots(50, 1000);
    let mut strangers = Vec::new();
    let mut people = Vec::new();
    for n in 0..40 {
        for m in 0..100 {
            strangers.push(slots.admit(from(m), false).unwrap());
        }
        let person = slots.admit(from(200), false).unwrap();
        person.set_known();
        people.push(person);
        assert!(people.iter().all(|it| !was_ended(it)), "round {n}");
    }
    assert_eq!(slots.count(), 50);
}

#[test]
fn one_address_pushes_out_only_its_own_strangers() {
    let slots = slots(100, 2);
    let other = slots.admit(from(1), false).unwrap();
    let first = slots.admit(from(2), false).unwrap();
    pause();
    let second = slots.admit(from(2), false).unwrap();
    let third = slots.admit(from(2), false).unwrap();
    let ended = [&other, &first, &second, &third].map(was_ended);
    assert_eq!(ended, [false, true, false, false]);
}

#[test]
fn those_who_are_known_are_more_from_one_address_but_not_without_end() {
    let slots = slots(100, 2);
    let come = || {
        let slot = slots.admit(from(1), false)?;
        slot.set_known();
        Ok(slot)
    };
    let office: Vec<_> = (0..8).map(|_| come().unwrap()).collect();
    assert_eq!(come().err(), Some(Full));
    drop(office);
    assert!(come().is_ok());
}

#[test]
fn where_all_are_known_the_busiest_address_makes_room_for_others() {
    let slots = slots(4, 4);
    let busy: Vec<Slot> = (0..4)
        .map(|_| {
            let slot = slots.admit(from(1), false).unwrap();
            slot.set_known();
            pause();
            slot
        })
        .collect();
    assert_eq!(slots.admit(from(1), false).err(), Some(Full));
    let other = slots.admit(from(2), false).unwrap();
    other.set_known();
    let ended: Vec<bool> = busy.iter().map(was_ended).collect();
    assert_eq!(ended, [true, false, false, false]);
}

#[test]
fn a_network_of_one_customer_counts_as_one_address() {
    let slots = slots(100, 1);
    let first = slots.admit("2001:db8::1".parse().unwrap(), false).unwrap();
    let _second = slots.admit("2001:db8::2".parse().unwrap(), false).unwrap();
    assert!(was_ended(&first));
    let mapped = slots.admit("::ffff:127.0.0.1".parse().unwrap(), false);
    let plain = slots.admit(from(1), false).unwrap();
    assert!(was_ended(&mapped.unwrap()) && !was_ended(&plain));
}

#[test]
fn a_proxys_clients_are_counted_one_by_one() {
    let slots = slots(100, 2);
    let held: Vec<Slot> = (0..10)
        .map(|_| slots.admit(from(1), true).unwrap())
        .collect();
    assert!(held.iter().all(|it| !was_ended(it)));
    let asked: Vec<BehindProxy> = (0..2)
        .map(|_| slots.behind_proxy(from(7)).unwrap())
        .collect();
    assert!(slots.behind_proxy(from(7)).is_err());
    assert!(slots.behind_proxy(from(8)).is_ok());
    drop(asked);
    assert!(slots.behind_proxy(from(7)).is_ok());
}

#[test]
fn what_is_dropped_leaves_nothing_behind() {
    let slots = slots(2, 2);
    for _ in 0..10 {
        let _first = slots.admit(from(1), false).unwrap();
        let _second = slots.behind_proxy(from(3)).unwrap();
    }
    let open = slots.lock();
    assert!(open.all.is_empty() && open.by_address.is_empty() && open.behind_proxies.is_empty());
}

#[tokio::test]
async fn whoever_waits_for_the_end_hears_of_it_before_and_after() {
    let slots = slots(1, 1);
    let first = slots.admit(from(1), false).unwrap();
    let (_, second) = tokio::join!(first.ended(), async { slots.admit(from(1), false) });
    first.ended().await;
    let waited = tokio::time::timeout(Duration::from_millis(5), second.as_ref().unwrap().ended());
    assert!(waited.await.is_err());
}
