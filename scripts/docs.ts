/**
 * Writes the pages that come from data: docs/errors, one entry per code, and the JSON Schema of the mapping book. A test fails while they are stale.
 *
 *     pnpm run docs
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { pages } from "../packages/cli/src/why/Pages.ts"

const root = new URL("..", import.meta.url)
mkdirSync(new URL("docs/errors/", root), { recursive: true })
mkdirSync(new URL("docs/schemas/", root), { recursive: true })
const written = pages()
for (const name of readdirSync(new URL("docs/errors/", root))) {
  if (!written.has(`docs/errors/${name}`)) rmSync(new URL(`docs/errors/${name}`, root))
}
for (const [file, text] of written) writeFileSync(new URL(file, root), text)
process.stdout.write(`${written.size} pages\n`)
