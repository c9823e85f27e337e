//! Diagrams to look at: `GLADE_LAYOUT_GALLERY=folder cargo test -p glade-layout gallery` writes them as SVG.

use glade_layout::{Beside, Direction, Kind, Routing, Step, Structure, layout};

use crate::draw::svg;
use crate::plain::{label, read, size};

use Direction::{Down, Left, Right, Up};
use Kind::{Board, Grid, Lanes, Layered, MindMap, Radial, Timeline, Tree};
use Routing::{Curved, Elbow, Straight};

const LOGIN: &str = "Start > Enter name and password > Valid?; Valid? > Dashboard : yes; Valid? > Show error : no; Show error > Enter name and password; Dashboard > Log out > Start; Valid? > Reset password : forgotten; Reset password > Send mail > Enter name and password";
const SHOP: &str = "[Cloud]; [Backend<Cloud] API, Orders, Billing; [Data<Cloud] Postgres, Redis, Queue; [Clients] Web, Mobile; Web > CDN > API; Mobile > API; API > Orders > Postgres; API > Billing > Postgres; API > Redis : cache; Orders > Queue : events; Queue > Billing; Billing > Stripe : charge";
const ORG: &str = "CEO > CTO; CEO > CFO; CEO > Chief Operating Officer; CTO > Backend; CTO > Frontend; CTO > Platform; CTO > QA; CFO > Accounting; CFO > Payroll; Chief Operating Officer > Logistics; Logistics > Warehouse North; Logistics > Warehouse South; Backend > Team A; Backend > Team B; Backend > Team C";
const MIND: &str = "Holiday > Travel; Holiday > Lodging; Holiday > Food; Holiday > Things to see; Holiday > Budget; Travel > Train; Travel > Flight; Travel > Car; Lodging > Hotel; Lodging > Camping; Food > Markets; Food > Restaurants; Food > Street food; Things to see > Museums; Things to see > Beach; Things to see > Old town; Budget > Savings; Museums > Modern art; Museums > History";
const ORDER: &str = "[Customer] Browse, Pay, Receive; [Shop] Check stock, Pack, Refund; [Carrier] Pick up, Deliver; Browse > Check stock > Pay > Pack > Pick up > Deliver > Receive; Check stock > Refund : sold out";
const BOARD: &str = "[To do] Write tests, Fix the router, Measure; [Doing] Draw pictures, Read papers; [Done] Types; ";
const STATES: &str = "Idle > Running : start; Running > Paused : pause; Paused > Running : resume; Running > Idle : stop; Running > Running : tick; Paused > Idle : stop; Running > Failed : error; Failed > Idle : reset";

fn sequence() -> Structure {
    let text = "Browser > Gateway : POST /login; Gateway > Auth : verify; Auth > Users : find by name; Users > Auth : row; Auth > Auth : hash password; Auth > Gateway : token; Gateway > Browser : 200; Gateway > Browser : 401 and why";
    let mut all = read(Kind::Sequence, Down, Straight, text);
    let name = |at: usize| all.edges[at].id.clone();
    all.steps = vec![
        Step::Message(name(0)),
        Step::Activate("Gateway".into()),
        Step::Message(name(1)),
        Step::Activate("Auth".into()),
        Step::Message(name(2)),
        Step::Message(name(3)),
        Step::Message(name(4)),
        Step::Note {
            id: "slow on purpose".into(),
            size: size(130.0, 30.0),
            beside: Beside::Right,
            of: vec!["Auth".into()],
        },
        Step::Message(name(5)),
        Step::Deactivate("Auth".into()),
        Step::Open {
            id: "alt good".into(),
            title: label("alt good"),
        },
        Step::Message(name(6)),
        Step::Divide {
            title: label("else"),
        },
        Step::Message(name(7)),
        Step::Close,
        Step::Deactivate("Gateway".into()),
        Step::Note {
            id: "session is kept".into(),
            size: size(140.0, 30.0),
            beside: Beside::Over,
            of: vec!["Browser".into(), "Gateway".into()],
        },
    ];
    all
}

fn all() -> Vec<(&'static str, Structure)> {
    let random = |count: usize, edges: usize, seed: u64| {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let mut text = String::new();
        for _ in 0..edges {
            text.push_str(&format!("n{} > n{};", next() % count, next() % count));
        }
        text
    };
    let mut mixed = read(
        Layered,
        Down,
        Elbow,
        "[Pipeline] Lint, Test, Build; Push > Lint > Test > Build > Deploy; Push > Docs > Deploy",
    );
    mixed.groups[0].direction = Some(Right);
    vec![
        ("01-login-straight", read(Layered, Down, Straight, LOGIN)),
        ("02-login-elbow", read(Layered, Down, Elbow, LOGIN)),
        ("03-login-curved-right", read(Layered, Right, Curved, LOGIN)),
        ("04-shop-elbow", read(Layered, Down, Elbow, SHOP)),
        ("05-shop-right", read(Layered, Right, Elbow, SHOP)),
        ("06-org", read(Tree, Down, Elbow, ORG)),
        ("07-org-right-curved", read(Tree, Right, Curved, ORG)),
        ("08-mind", read(MindMap, Down, Curved, MIND)),
        ("09-radial", read(Radial, Down, Straight, MIND)),
        ("10-sequence", sequence()),
        ("11-lanes", read(Lanes, Right, Elbow, ORDER)),
        ("12-board", read(Board, Down, Straight, BOARD)),
        ("13-states", read(Layered, Right, Curved, STATES)),
        (
            "14-grid",
            read(
                Grid,
                Down,
                Straight,
                "Alpha; Beta; Gamma; Delta and more; Epsilon; Zeta; Eta; Alpha > Zeta : see",
            ),
        ),
        (
            "15-timeline",
            read(
                Timeline,
                Right,
                Straight,
                "[1990s] Web, Browser wars; [2000s] Social, Mobile, Video; [2010s] Cloud; 2026",
            ),
        ),
        (
            "16-timeline-plain",
            read(
                Timeline,
                Right,
                Straight,
                "Founded; First customer; Series A; Office in Lisbon; Hundred people; Profit",
            ),
        ),
        ("17-mixed-directions", mixed),
        (
            "18-random-20",
            read(Layered, Down, Straight, &random(20, 28, 3)),
        ),
        (
            "19-random-40",
            read(Layered, Down, Elbow, &random(40, 56, 5)),
        ),
        ("20-shop-up", read(Layered, Up, Curved, SHOP)),
        ("21-shop-left", read(Layered, Left, Straight, SHOP)),
        (
            "22-forest",
            read(
                Layered,
                Down,
                Straight,
                "a > b; a > c; d > e; f; g; h; i > j > k",
            ),
        ),
    ]
}

#[test]
fn every_diagram_of_the_gallery_is_laid_out_without_problems() {
    for (name, structure) in all() {
        let found = layout(&structure).unwrap();
        if let Ok(folder) = std::env::var("GLADE_LAYOUT_GALLERY") {
            std::fs::write(format!("{folder}/{name}.svg"), svg(&found)).unwrap();
        }
        assert_eq!(found.problems, vec![], "{name}");
    }
}
