use std::time::Duration;

use super::*;

fn places(in_all: usize, per_address: usize) -> Arc<Places> {
    Arc::new(Places::new(Connections {
        in_all,
        per_address,
    }))
}

fn from(last: u8) -> IpAddr {
    IpAddr::from([127, 0, 0, last])
}

fn was_ended(place: &Place) -> bool {
    place.shared.ended.load(Ordering::Acquire)
}

fn pause() {
    std::thread::sleep(Duration::from_millis(3));
}

#[test]
fn the_longest_silent_stranger_makes_room_and_the_known_stay() {
    let places = places(3, 9);
    let known = places.admit(from(1), false).unwrap();
    known.set_known();
    let talks = places.admit(from(2), false).unwrap();
    let silent = places.admit(from(3), false).unwrap();
    pause();
    talks.heard(1).unwrap();
    let newcomer = places.admit(from(4), false).unwrap();
    let ended = [&known, &talks, &silent, &newcomer].map(was_ended);
    assert_eq!(ended, [false, false, true, false]);
    assert_eq!(places.count(), 3);
}

#[test]
fn somebody_with_a_token_gets_in_beside_any_number_of_strangers() {
    let places = places(50, 1000);
    let mut strangers = Vec::new();
    let mut people = Vec::new();
    for n in 0..40 {
        for m in 0..100 {
            strangers.push(places.admit(from(m), false).unwrap());
        }
        let person = places.admit(from(200), false).unwrap();
        person.set_known();
        people.push(person);
        assert!(people.iter().all(|it| !was_ended(it)), "round {n}");
    }
    assert_eq!(places.count(), 50);
}

#[test]
fn one_address_pushes_out_only_its_own_strangers() {
    let places = places(100, 2);
    let other = places.admit(from(1), false).unwrap();
    let first = places.admit(from(2), false).unwrap();
    pause();
    let second = places.admit(from(2), false).unwrap();
    let third = places.admit(from(2), false).unwrap();
    let ended = [&other, &first, &second, &third].map(was_ended);
    assert_eq!(ended, [false, true, false, false]);
}

#[test]
fn those_who_are_known_are_more_from_one_address_but_not_without_end() {
    let places = places(100, 2);
    let come = || {
        let place = places.admit(from(1), false)?;
        place.set_known();
        Ok(place)
    };
    let office: Vec<_> = (0..8).map(|_| come().unwrap()).collect();
    assert_eq!(come().err(), Some(Full));
    drop(office);
    assert!(come().is_ok());
}

#[test]
fn where_all_are_known_the_busiest_address_makes_room_for_others() {
    let places = places(4, 4);
    let busy: Vec<Place> = (0..4)
        .map(|_| {
            let place = places.admit(from(1), false).unwrap();
            place.set_known();
            pause();
            place
        })
        .collect();
    assert_eq!(places.admit(from(1), false).err(), Some(Full));
    let other = places.admit(from(2), false).unwrap();
    other.set_known();
    let ended: Vec<bool> = busy.iter().map(was_ended).collect();
    assert_eq!(ended, [true, false, false, false]);
}

#[test]
fn a_network_of_one_customer_counts_as_one_address() {
    let places = places(100, 1);
    let first = places.admit("2001:db8::1".parse().unwrap(), false).unwrap();
    let _second = places.admit("2001:db8::2".parse().unwrap(), false).unwrap();
    assert!(was_ended(&first));
    let mapped = places.admit("::ffff:127.0.0.1".parse().unwrap(), false);
    let plain = places.admit(from(1), false).unwrap();
    assert!(was_ended(&mapped.unwrap()) && !was_ended(&plain));
}

#[test]
fn a_proxys_clients_are_counted_one_by_one() {
    let places = places(100, 2);
    let held: Vec<Place> = (0..10)
        .map(|_| places.admit(from(1), true).unwrap())
        .collect();
    assert!(held.iter().all(|it| !was_ended(it)));
    let asked: Vec<BehindProxy> = (0..2)
        .map(|_| places.behind_proxy(from(7)).unwrap())
        .collect();
    assert!(places.behind_proxy(from(7)).is_err());
    assert!(places.behind_proxy(from(8)).is_ok());
    drop(asked);
    assert!(places.behind_proxy(from(7)).is_ok());
}

#[test]
fn what_is_dropped_leaves_nothing_behind() {
    let places = places(2, 2);
    for _ in 0..10 {
        let _first = places.admit(from(1), false).unwrap();
        let _second = places.behind_proxy(from(3)).unwrap();
    }
    let open = places.lock();
    assert!(open.all.is_empty() && open.by_address.is_empty() && open.behind_proxies.is_empty());
}

#[tokio::test]
async fn whoever_waits_for_the_end_hears_of_it_before_and_after() {
    let places = places(1, 1);
    let first = places.admit(from(1), false).unwrap();
    let (_, second) = tokio::join!(first.ended(), async { places.admit(from(1), false) });
    first.ended().await;
    let waited = tokio::time::timeout(Duration::from_millis(5), second.as_ref().unwrap().ended());
    assert!(waited.await.is_err());
}
