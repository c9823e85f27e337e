//! The fairy that a chat belongs to: its name and character, its limits, and the files that it may reach.

use glade_access::{Capability, Op};
use glade_agent::{Agent, AgentConfig, Limits};
use glade_canvas::Rect;

use super::{Chat, CodeError, CodeHost};
use crate::clock::now_ms;
use crate::workspace::Fairy;

/// Tokens that one run may use where nobody set the fairy's limits: each round reads the whole
/// conversation again.
const MOST_TOKENS: u64 = 4_000_000;

impl CodeHost {
    /// Gives a chat to a fairy that the caller knows of.
    pub async fn give_to(&self, id: &str, fairy: &str, by: &Capability) -> Result<Chat, CodeError> {
        let known = self.workspace.fairy(fairy);
        if !known.is_some_and(|fairy| self.knows(by, &fairy)) {
            return Err(CodeError::Wrong(format!("There is no fairy {fairy}.")));
        }
        self.change(id, |ctx| ctx.fairy = Some(fairy.to_owned()))
            .await?;
        self.chat(id)
    }

    /// Who answers in a chat: the fairy that was chosen, or else the first that whoever asks knows of
    /// and that nothing limits. Nobody, if there is none: the chat answers under the name of the house.
    pub(super) fn fairy_of(&self, id: &str, asker: &Capability) -> Option<Fairy> {
        let chosen = self.chats().get(id).and_then(|ctx| ctx.fairy.clone());
        let chosen = chosen.and_then(|fairy| self.workspace.fairy(&fairy));
        chosen.or_else(|| {
            let fairies = self.workspace.snapshot().fairies;
            let free = |fairy: &Fairy| fairy.settings.scope == Default::default();
            let mut known = fairies.into_iter().filter(|it| self.knows(asker, it));
            known.find(free)
        })
    }

    fn knows(&self, who: &Capability, fairy: &Fairy) -> bool {
        who.sees_all() || self.workspace.may(who, &fairy.page, Op::Read)
    }
}

/// What a run of this fairy may do: what its asker may, as far as the fairy may.
pub(super) fn held(asker: &Capability, fairy: Option<&Fairy>) -> Result<Capability, CodeError> {
    let Some(fairy) = fairy else {
        return Ok(asker.clone());
    };
    let scope = &fairy.settings.scope;
    let own = scope.capability_on_code(&fairy.id, now_ms());
    let own = own.map_err(|error| CodeError::Forbidden(error.to_string()))?;
    Ok(asker.intersect(&own))
}

/// The core that answers in a chat.
pub(super) fn core_of(chat: &str, fairy: Option<&Fairy>) -> Agent {
    let mut agent = Agent::new(AgentConfig {
        fairy_id: fairy.map_or(chat, |fairy| &fairy.id).to_owned(),
        name: fairy.map_or_else(String::new, |fairy| fairy.name.clone()),
        personality: fairy.map_or_else(String::new, |fairy| fairy.character().to_owned()),
        view: Rect::default(),
    });
    let set = fairy.map(|fairy| fairy.settings.limits);
    agent.settings.limits = set
        .filter(|limits| *limits != Limits::default())
        .unwrap_or(Limits {
            tokens: MOST_TOKENS,
            ..Limits::default()
        });
    agent
}

/// Who the model is to be, below what every fairy is told.
pub(super) fn introduced(config: &AgentConfig) -> String {
    let plain = |text: &str| text.replace('<', "&lt;");
    if config.name.is_empty() {
        return String::new();
    }
    let name = plain(&config.name);
    let character = match config.personality.as_str() {
        "" => String::new(),
        personality => format!(
            " Your character: {}.",
            plain(personality.trim_end_matches('.'))
        ),
    };
    format!("\n<you>\nYour name is {name}.{character}\n</you>\n")
}
