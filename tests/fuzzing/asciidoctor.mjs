// Convert documents with Asciidoctor.js: each line of standard input is a document as JSON, each line of output an answer.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

// NODE_PATH is where CommonJS looks for packages; an ES module must be told.
const require = createRequire(import.meta.url)
const { convert, MemoryLogger, LoggerManager } = await import(
  pathToFileURL(require.resolve('@asciidoctor/core', { paths: (process.env.NODE_PATH ?? '').split(':') })).href
)
const logger = MemoryLogger.create ? MemoryLogger.create() : new MemoryLogger()
LoggerManager.logger = logger

for await (const line of createInterface({ input: process.stdin })) {
  let answer
  try {
    logger.clear()
    const html = await convert(JSON.parse(line), { standalone: false, safe: 'secure', attributes: { relfilesuffix: '.adoc' } })
    answer = { html: String(html), warnings: logger.getMessages().length }
  } catch (error) {
    answer = { error: String(error) }
  }
  process.stdout.write(JSON.stringify(answer) + '\n')
}
