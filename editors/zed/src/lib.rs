//! Starts `urlscan server` for the languages that `extension.toml` lists.

use zed_extension_api::{self as zed, settings::LspSettings, Command, LanguageServerId, Result, Worktree};

struct UrlscanExtension;

impl zed::Extension for UrlscanExtension {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, _id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree
            .which("urlscan")
            .ok_or("urlscan is not on the path: install urlscan-lint[lsp]")?;
        Ok(Command {
            command,
            args: vec!["server".into()],
            env: worktree.shell_env(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        _id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<zed::serde_json::Value>> {
        Ok(LspSettings::for_worktree("urlscan", worktree)?.settings)
    }
}

zed::register_extension!(UrlscanExtension);
