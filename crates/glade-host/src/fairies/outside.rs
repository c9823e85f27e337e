//! What fairies may ask of the world outside, where the owner has switched that on. Off, nothing is
//! ever fetched: the actions are on no menu, and there is nobody here who could.

use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use glade_agent::Outside;
use serde_json::{Value, json};

use super::card::Cards;

pub const PATIENCE: Duration = Duration::from_secs(10);
/// More than this is not read.
pub const LONGEST: usize = 512 * 1024;

/// Whoever fetches.
pub trait Fetcher: Send + Sync {
    /// What was asked for, or why it cannot be had, in words for the model.
    fn fetch(&self, what: Outside) -> BoxFuture<'static, Result<Value, String>>;
}

/// Fetches from the services themselves.
#[derive(Clone)]
pub struct Web {
    client: glade_model::Client,
    wikipedia: String,
    countries: String,
}

impl Web {
    pub fn new(client: glade_model::Client) -> Self {
        Self {
            client,
            wikipedia: "https://en.wikipedia.org".to_owned(),
            countries: "https://restcountries.com".to_owned(),
        }
    }

    async fn get(&self, what: Outside) -> Result<Value, String> {
        match what {
            Outside::RandomWikipediaArticle => {
                let page = "/api/rest_v1/page/random/summary";
                let found = self.json(&self.wikipedia, page).await?;
                article(&found).ok_or_else(|| "Wikipedia's answer made no sense".to_owned())
            }
            Outside::Page { address } => Cards::new(self.client.clone()).fetch(&address).await,
            Outside::CountryInfo { code } => {
                let page = format!("/v3.1/alpha/{code}");
                let found = self.json(&self.countries, &page).await?;
                country(&found).ok_or_else(|| format!("nothing is known of a country {code}"))
            }
        }
    }

    /// The JSON at a place of a service. A redirect is followed once, within the service.
    async fn json(&self, base: &str, page: &str) -> Result<Value, String> {
        let client = self.client.for_address(base);
        let mut address = format!("{base}{page}");
        for _ in 0..2 {
            let request = client.get(&address).timeout(PATIENCE);
            let failed = |_| format!("{base} could not be reached");
            let mut answer = request.send().await.map_err(failed)?;
            let status = answer.status();
            if status.is_redirection() {
                let to = answer.headers().get("location");
                let to = to.and_then(|to| to.to_str().ok()).unwrap_or_default();
                address = within(base, &address, to)
                    .ok_or_else(|| format!("{base} sent me somewhere else"))?;
                continue;
            }
            if !status.is_success() {
                return Err(format!("{base} answered {}", status.as_u16()));
            }
            let mut body = Vec::new();
            while let Some(piece) = answer.chunk().await.map_err(failed)? {
                body.extend_from_slice(&piece);
                if body.len() > LONGEST {
                    return Err(format!("the answer of {base} is too long"));
                }
            }
            let broken = |_| format!("the answer of {base} is not JSON");
            return serde_json::from_slice(&body).map_err(broken);
        }
        Err(format!("{base} sends me from place to place"))
    }
}

impl Fetcher for Web {
    fn fetch(&self, what: Outside) -> BoxFuture<'static, Result<Value, String>> {
        let web = self.clone();
        async move { web.get(what).await }.boxed()
    }
}

/// Where a redirect leads, if it stays within the service.
fn within(base: &str, from: &str, to: &str) -> Option<String> {
    if to.starts_with("http://") || to.starts_with("https://") {
        return to.starts_with(&format!("{base}/")).then(|| to.to_owned());
    }
    if to.starts_with('/') && !to.starts_with("//") {
        return Some(format!("{base}{to}"));
    }
    let (folder, _) = from.rsplit_once('/')?;
    (!to.is_empty() && !to.contains(':')).then(|| format!("{folder}/{to}"))
}

fn article(found: &Value) -> Option<Value> {
    Some(json!({
        "title": found["title"].as_str()?,
        "text": found["extract"].as_str()?,
        "address": found["content_urls"]["desktop"]["page"],
    }))
}

fn country(found: &Value) -> Option<Value> {
    let country = found.get(0).unwrap_or(found);
    let values = |key: &str| -> Vec<Value> {
        let of = country[key].as_object();
        of.map(|of| of.values().cloned().collect())
            .unwrap_or_default()
    };
    let currencies: Vec<Value> = values("currencies")
        .iter()
        .map(|one| one["name"].clone())
        .collect();
    Some(json!({
        "name": country["name"]["common"].as_str()?,
        "capital": country["capital"],
        "region": country["region"],
        "people": country["population"],
        "squareKilometres": country["area"],
        "languages": values("languages"),
        "currencies": currencies,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::http::{StatusCode, header};
    use axum::response::IntoResponse;
    use axum::routing::get;

    /// A service of our own that answers as the real ones do.
    async fn service() -> String {
        let moved =
            || async { (StatusCode::SEE_OTHER, [(header::LOCATION, "Moss")]).into_response() };
        let away = || async {
            (
                StatusCode::SEE_OTHER,
                [(header::LOCATION, "http://elsewhere.example/")],
            )
                .into_response()
        };
        let moss = || async {
            r#"{"title":"Moss","extract":"Small plants.","content_urls":{"desktop":{"page":"https://x/Moss"}},"more":1}"#
        };
        let malta = || async {
            r#"[{"name":{"common":"Malta"},"capital":["Valletta"],"region":"Europe","population":5,"area":316,
                "languages":{"eng":"English","mlt":"Maltese"},"currencies":{"EUR":{"name":"Euro"}},"flag":"x"}]"#
        };
        let router = Router::new()
            .route("/api/rest_v1/page/random/summary", get(moved))
            .route("/api/rest_v1/page/random/Moss", get(moss))
            .route("/away/api/rest_v1/page/random/summary", get(away))
            .route("/v3.1/alpha/MLT", get(malta));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        address
    }

    #[tokio::test]
    async fn articles_and_countries_are_fetched_and_cut_down_to_what_matters() {
        let base = service().await;
        let web = Web {
            client: glade_model::Client::new().unwrap(),
            wikipedia: base.clone(),
            countries: base.clone(),
        };
        let moss = web.fetch(Outside::RandomWikipediaArticle).await;
        assert_eq!(
            moss,
            Ok(json!({"title": "Moss", "text": "Small plants.", "address": "https://x/Moss"}))
        );
        let malta = web
            .fetch(Outside::CountryInfo {
                code: "MLT".to_owned(),
            })
            .await;
        assert_eq!(
            malta,
            Ok(
                json!({"name": "Malta", "capital": ["Valletta"], "region": "Europe", "people": 5, "squareKilometres": 316,
                "languages": ["English", "Maltese"], "currencies": ["Euro"]})
            )
        );
        let nowhere = web
            .fetch(Outside::CountryInfo {
                code: "XXX".to_owned(),
            })
            .await;
        assert_eq!(nowhere, Err(format!("{base} answered 404")));
        let away = Web {
            wikipedia: format!("{base}/away"),
            ..web
        };
        let error = away
            .fetch(Outside::RandomWikipediaArticle)
            .await
            .unwrap_err();
        assert!(error.contains("sent me somewhere else"), "{error}");
    }
}
