// Exchanges messages with `urlscan server` through the libraries with which Visual Studio Code does, without the editor:
// node test/protocol.js COMMAND [ARGUMENT]...
const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const protocol = require("vscode-languageserver-protocol/node");

const settings = require("../package.json").contributes.configuration.properties;
const [command, ...rest] = process.argv.length > 2 ? process.argv.slice(2) : settings["urlscan.path"].default;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "urlscan-"));
fs.writeFileSync(path.join(folder, "a.md"), "# First part\n");
const text = "[a](a.md#first-part) <http://h.example/a|b>\n[b](a.md#\n";
fs.writeFileSync(path.join(folder, "b.md"), text);
const uri = pathToFileURL(path.join(folder, "b.md")).href;

async function main() {
  const server = spawn(command, [...rest, "server"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const connection = protocol.createProtocolConnection(server.stdout, server.stdin);
  // What the extension sends: the defaults of its settings, by their names in the editor.
  const defaults = {};
  for (const [name, schema] of Object.entries(settings)) {
    const [, key, inner] = name.split(".");
    defaults[key] = inner === undefined ? schema.default : { [inner]: schema.default };
  }
  const messages = [];
  connection.onRequest(protocol.ConfigurationRequest.type, (params) => params.items.map(() => defaults));
  connection.onRequest(protocol.RegistrationRequest.type, () => undefined);
  connection.onNotification(protocol.ShowMessageNotification.type, (params) => void messages.push(params.message));
  const published = new Promise((resolve) =>
    connection.onNotification(protocol.PublishDiagnosticsNotification.type, resolve),
  );
  connection.listen();
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "folder" }],
    capabilities: { workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } } },
  });
  for (const name of ["completion", "definition", "references", "rename", "codeAction", "hover", "documentLink"]) {
    assert(capabilities[`${name}Provider`], name);
  }
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  const document = { uri, languageId: "markdown", version: 1, text };
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument: document });
  const { diagnostics } = await published;
  assert(diagnostics.some((diagnostic) => diagnostic.code === "U101"));
  const ask = (type, line, character, more = {}) =>
    connection.sendRequest(type, { textDocument: { uri }, position: { line, character }, ...more });
  const definition = await ask(protocol.DefinitionRequest.type, 0, 6);
  assert.equal(definition.uri, pathToFileURL(path.join(folder, "a.md")).href);
  const completion = await ask(protocol.CompletionRequest.type, 1, 9);
  assert.deepEqual(completion.items.map((item) => item.label), ["first-part"]);
  const edit = await ask(protocol.RenameRequest.type, 0, 12, { newName: "Second" });
  assert.equal(edit.changes[uri][0].newText, "second");
  assert.deepEqual(messages, []);
  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  assert.equal(await ended, 0);
}

main()
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => fs.rmSync(folder, { recursive: true }));
