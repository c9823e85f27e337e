use glade_canvas::order::{is_valid, key_between, keys_between};
use proptest::prelude::*;

#[test]
fn keys_at_the_top_stay_short() {
    let keys = keys_between(None, None, 10_000).unwrap();
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(keys.last().unwrap().len(), 4);
}

#[test]
fn inserting_at_one_spot_grows_a_key_by_one_digit_in_several_insertions() {
    let mut above = key_between(Some("a0"), None).unwrap();
    for _ in 0..1000 {
        above = key_between(Some("a0"), Some(&above)).unwrap();
    }
    assert!(
        above.len() < 2 + 1000 / 5 + 2,
        "{} digits after 1000 insertions",
        above.len()
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn insertions_anywhere_keep_strict_order(spots in proptest::collection::vec(any::<prop::sample::Index>(), 1..60)) {
        let mut keys: Vec<String> = Vec::new();
        for spot in spots {
            let at = spot.index(keys.len() + 1);
            let below = at.checked_sub(1).map(|below| keys[below].clone());
            let above = keys.get(at).cloned();
            let key = key_between(below.as_deref(), above.as_deref()).unwrap();
            prop_assert!(is_valid(&key), "{key:?}");
            keys.insert(at, key);
        }
        prop_assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    }
}
