use glade_canvas::Rect;
use glade_canvas::space::free_rect;
use proptest::prelude::*;

const WANTED: Rect = Rect::new(0.0, 0.0, 100.0, 50.0);

#[test]
fn a_free_place_is_taken_as_wanted() {
    assert_eq!(
        free_rect(&[Rect::new(120.0, 0.0, 10.0, 10.0)], WANTED, 20.0),
        WANTED
    );
}

#[test]
fn a_taken_place_moves_the_least() {
    let wide = Rect::new(-10.0, 30.0, 400.0, 40.0);
    assert_eq!(
        free_rect(&[wide], WANTED, 10.0),
        Rect::new(0.0, -30.0, 100.0, 50.0)
    );
    let tall = Rect::new(80.0, -200.0, 40.0, 400.0);
    assert_eq!(
        free_rect(&[tall], WANTED, 10.0),
        Rect::new(-30.0, 0.0, 100.0, 50.0)
    );
}

#[test]
fn of_equally_near_places_the_right_one_wins() {
    assert_eq!(
        free_rect(&[Rect::new(0.0, -500.0, 100.0, 1000.0)], WANTED, 20.0),
        Rect::new(120.0, 0.0, 100.0, 50.0)
    );
}

#[test]
fn numbers_that_are_none_do_not_confuse_it() {
    let odd = [
        Rect::new(f64::NAN, 0.0, f64::INFINITY, 1e300),
        Rect::new(0.0, 0.0, -50.0, -50.0),
    ];
    let place = free_rect(&odd, Rect::new(f64::NAN, 1e300, 10.0, 10.0), f64::NAN);
    assert!(place.x.is_finite() && place.y.is_finite());
}

fn rect() -> impl Strategy<Value = Rect> {
    (
        -600.0..600.0f64,
        -600.0..600.0f64,
        0.0..300.0f64,
        0.0..300.0f64,
    )
        .prop_map(|(x, y, w, h)| Rect::new(x, y, w, h))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_place_found_never_overlaps_and_does_not_depend_on_order(
        obstacles in proptest::collection::vec(rect(), 0..60), wanted in rect(), gap in 0.0..40.0f64,
    ) {
        let place = free_rect(&obstacles, wanted, gap);
        prop_assert_eq!((place.w, place.h), (wanted.w, wanted.h));
        let kept_clear = place.expand(gap - 1e-5);
        for obstacle in &obstacles {
            let overlaps = if gap > 0.0 { kept_clear.intersects(obstacle) } else { place.expand(-1e-5).intersects(obstacle) };
            prop_assert!(!overlaps, "{place:?} meets {obstacle:?} with gap {gap}");
        }
        let reversed: Vec<Rect> = obstacles.iter().rev().copied().collect();
        prop_assert_eq!(free_rect(&reversed, wanted, gap), place);
    }
}
