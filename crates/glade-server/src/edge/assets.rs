//! The studio's files, as they are sent to browsers.
//!
//! Where they come from is the caller's matter: [`Studio`] looks one up. Its build leaves a smaller twin, `NAME.gz`,
//! beside each file that shrinks: browsers that take it are sent that.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
pub use rust_embed::EmbeddedFile;

use super::problem::Problem;

/// A file of the studio by its path below its root.
pub type Studio = fn(&str) -> Option<EmbeddedFile>;

/// A file of the studio, or a 404 problem. Only `/` itself is answered with the studio's page: the studio keeps its own
/// place in the address's fragment, so an unknown path is a mistake and says so.
pub fn serve(studio: Studio, method: &Method, path: &str, headers: &HeaderMap) -> Response {
    let missing = || {
        Problem::not_found(format!(
            "There is nothing at {path}. The studio is at /, the API's description at /api/openapi.json."
        ))
        .into_response()
    };
    if !matches!(*method, Method::GET | Method::HEAD) {
        return missing();
    }
    let name = match path {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(file) = studio(name) else {
        return missing();
    };

    let etag = etag(&file);
    let smaller = studio(&format!("{name}.gz"));
    let varies = smaller.is_some();
    let mut response = if already_has(headers, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let content_type = [(header::CONTENT_TYPE, content_type(&file))];
        match smaller.filter(|_| takes_gzip(headers)) {
            Some(smaller) => (
                content_type,
                [(header::CONTENT_ENCODING, "gzip")],
                smaller.data,
            )
                .into_response(),
            None => (content_type, file.data).into_response(),
        }
    };
    let headers = response.headers_mut();
    if varies {
        headers.insert(
            header::VARY,
            HeaderValue::from_name(header::ACCEPT_ENCODING),
        );
    }
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static(cache_control(name)),
    );
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        headers.insert(header::ETAG, etag);
    }
    response
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            let refused = weight.trim().strip_prefix("q=").map(str::parse) == Some(Ok(0.0_f32));
            name.trim() == "gzip" && !refused
        })
}

/// A name that holds a hash of its content never means anything else.
fn cache_control(name: &str) -> &'static str {
    if is_hashed(name) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    }
}

/// Everything that Vite puts into `assets/` carries a hash; so do most of
/// Excalidraw's fonts, which end in 32 hexadecimal digits.
fn is_hashed(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let tail = stem.rsplit_once('-').map_or("", |(_, tail)| tail);
    name.starts_with("assets/")
        || tail.len() == 32 && tail.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn content_type(file: &EmbeddedFile) -> HeaderValue {
    let guess = file.metadata.mimetype();
    let text = guess.starts_with("text/") && !guess.contains("charset");
    let full = if text {
        format!("{guess}; charset=utf-8")
    } else {
        guess.to_owned()
    };
    HeaderValue::from_str(&full)
        .unwrap_or_else(|_| HeaderValue::from_static("application/octet-stream"))
}

fn etag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let hex: String = hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("\"{hex}\"")
}

fn already_has(headers: &HeaderMap, etag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == etag || tag == "*")
}

#[cfg(test)]
mod tests {
    use rust_embed::RustEmbed;

    use super::*;
    use crate::edge::testing::{json_body, text_body};

    #[derive(RustEmbed)]
    #[folder = "tests/fixtures/studio"]
    struct Fixture;

    fn get(path: &str) -> Response {
        serve(Fixture::get, &Method::GET, path, &HeaderMap::new())
    }

    fn header_of<'a>(response: &'a Response, name: &header::HeaderName) -> &'a str {
        response.headers()[name].to_str().unwrap()
    }

    #[tokio::test]
    async fn the_root_is_the_studios_page_and_is_always_revalidated() {
        for path in ["/", "/index.html"] {
            let response = get(path);
            assert_eq!(response.status(), 200);
            assert_eq!(
                header_of(&response, &header::CONTENT_TYPE),
                "text/html; charset=utf-8"
            );
            assert_eq!(header_of(&response, &header::CACHE_CONTROL), "no-cache");
            assert!(text_body(response).await.contains("fixture studio"));
        }
    }

    #[test]
    fn files_have_the_types_that_browsers_insist_on() {
        for (path, content_type) in [
            (
                "/assets/index-DiwrgTda.js",
                "text/javascript; charset=utf-8",
            ),
            ("/assets/index-DiwrgTda.css", "text/css; charset=utf-8"),
            ("/assets/loro_wasm_bg-Bo3kLeaf.wasm", "application/wasm"),
            ("/fonts/Plain-Regular.woff2", "font/woff2"),
        ] {
            assert_eq!(
                header_of(&get(path), &header::CONTENT_TYPE),
                content_type,
                "{path}"
            );
        }
    }

    #[test]
    fn only_names_with_a_hash_are_kept_for_ever() {
        for (name, hashed) in [
            ("assets/index-DiwrgTda.js", true),
            (
                "fonts/Excalifont/Excalifont-Regular-349fac6ca4700ffec595a7150a0d1e1d.woff2",
                true,
            ),
            ("fonts/Plain-Regular.woff2", false),
            ("index.html", false),
            ("favicon.svg", false),
        ] {
            assert_eq!(is_hashed(name), hashed, "{name}");
        }
    }

    #[tokio::test]
    async fn a_browser_that_has_the_file_is_not_sent_it_again() {
        let first = get("/");
        let etag = header_of(&first, &header::ETAG).to_owned();
        let ask = |tag: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_str(tag).unwrap());
            serve(Fixture::get, &Method::GET, "/", &headers)
        };
        let again = ask(&format!("\"other\", W/{etag}"));
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(header_of(&again, &header::ETAG), etag);
        assert_eq!(text_body(again).await, "");
        assert_eq!(ask("\"other\"").status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn a_browser_that_takes_gzip_gets_the_smaller_twin_of_the_same_file() {
        let path = "/assets/index-DiwrgTda.js";
        let ask = |taken: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(
                header::ACCEPT_ENCODING,
                HeaderValue::from_str(taken).unwrap(),
            );
            serve(Fixture::get, &Method::GET, path, &headers)
        };
        let plain = get(path);
        assert_eq!(plain.headers().get(header::CONTENT_ENCODING), None);
        for taken in ["gzip, deflate, br", "br, gzip;q=0.5"] {
            let packed = ask(taken);
            assert_eq!(header_of(&packed, &header::CONTENT_ENCODING), "gzip");
            for same in [header::CONTENT_TYPE, header::ETAG, header::VARY] {
                assert_eq!(
                    header_of(&packed, &same),
                    header_of(&plain, &same),
                    "{same}"
                );
            }
            let body = axum::body::to_bytes(packed.into_body(), 1024).await;
            assert_eq!(body.unwrap()[..2], [0x1f, 0x8b]);
        }
        for taken in ["br", "gzip;q=0", "identity"] {
            assert_eq!(ask(taken).headers().get(header::CONTENT_ENCODING), None);
        }
    }

    #[tokio::test]
    async fn what_is_not_there_is_a_404_problem_and_never_the_studio() {
        for path in [
            "/nothing",
            "/api/nothing",
            "/assets/",
            "/assets/../index.html",
            "/assets/..%2findex.html",
            "/../edge.rs",
        ] {
            let problem = json_body(get(path)).await;
            assert_eq!(problem["status"], 404, "{path}");
        }
        let posted = serve(Fixture::get, &Method::POST, "/", &HeaderMap::new());
        assert_eq!(posted.status(), StatusCode::NOT_FOUND);
    }
}
