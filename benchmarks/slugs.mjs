// Convert Markdown documents (a JSON list on standard input) to HTML (a JSON list on standard output).
// usage: node slugs.mjs github|docusaurus|vitepress|hexo|hexo-plain NODE_MODULES
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import fs from "node:fs";
import path from "node:path";

const [program, modules] = process.argv.slice(2);
const require = createRequire(path.join(modules, "x.js"));

async function load(name) {
  const folder = path.join(modules, name);
  const about = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const entry = about.exports?.["."] ?? about.exports ?? about.main;
  const file = typeof entry === "string" ? entry : entry.import?.default ?? entry.import ?? entry.default;
  return import(pathToFileURL(path.join(folder, file)));
}

async function github() {
  const { unified } = await load("unified");
  let chain = unified();
  for (const [name, options] of [
    ["remark-parse"],
    ["remark-gfm"],
    ["remark-rehype", { allowDangerousHtml: true }],
    ["rehype-raw"],
    ["rehype-slug"],
    ["rehype-stringify"],
  ]) {
    chain = chain.use((await load(name)).default, options);
  }
  return (text) => String(chain.processSync(text));
}

async function docusaurus() {
  const { unified } = await load("unified");
  let chain = unified();
  const headings = require("@docusaurus/mdx-loader/lib/remark/headings/index.js").default;
  for (const [plugin, options] of [
    [(await load("remark-parse")).default],
    [(await load("remark-gfm")).default],
    [headings, { anchorsMaintainCase: false }],
    [(await load("remark-rehype")).default, { allowDangerousHtml: true }],
    [(await load("rehype-raw")).default],
    [(await load("rehype-stringify")).default],
  ]) {
    chain = chain.use(plugin, options);
  }
  return async (text) => String(await chain.process(text));
}

async function vitepress() {
  const { createMarkdownRenderer } = await load("vitepress");
  const renderer = await createMarkdownRenderer("/");
  return (text) => renderer.render(text, { path: "/a.md", relativePath: "a.md" });
}

function hexo(smartypants) {
  const render = require("hexo-renderer-marked/lib/renderer.js");
  const config = { url: "http://h.example", root: "/", marked: { headerIds: true, smartypants, modifyAnchors: 0 } };
  const site = { config, execFilterSync: (_, value) => value, extend: {} };
  return (text) => render.call(site, { text });
}

const programs = { github, docusaurus, vitepress, hexo: () => hexo(true), "hexo-plain": () => hexo(false) };
const convert = await programs[program]();
const pages = [];
let input = "";
for await (const chunk of process.stdin.setEncoding("utf8")) input += chunk;
for (const text of JSON.parse(input)) pages.push(await convert(text));
process.stdout.write(JSON.stringify(pages));
