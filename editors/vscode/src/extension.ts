// Starts `urlscan server` and passes it the documents that are open. It collects nothing and opens no connection.
import { commands, ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, TransportKind } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

function serverOptions(): ServerOptions {
  const path = workspace.getConfiguration("urlscan").get<string | string[]>("path", ["urlscan"]);
  const [command = "urlscan", ...args] = typeof path === "string" ? [path] : path;
  return { command, args: [...args, "server"], transport: TransportKind.stdio };
}

const clientOptions: LanguageClientOptions = {
  // All languages: urlscan recognizes the kind of a document by its name.
  documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
  // The editor has an outline of Markdown itself, and would show both.
  middleware: {
    provideDocumentSymbols: (document, token, next) =>
      document.languageId === "markdown" ? [] : next(document, token),
  },
};

async function start(): Promise<void> {
  const next = new LanguageClient("urlscan", "urlscan", serverOptions(), clientOptions);
  try {
    await next.start();
    client = next;
  } catch {
    const choice = await window.showErrorMessage(
      "urlscan could not be started: install urlscan-lint[lsp], or set urlscan.path.",
      "Open Settings",
    );
    if (choice !== undefined) {
      await commands.executeCommand("workbench.action.openSettings", "urlscan.path");
    }
  }
}

async function stop(): Promise<void> {
  const last = client;
  client = undefined;
  await last?.stop();
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("urlscan.restart", restart),
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("urlscan.path")) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}
