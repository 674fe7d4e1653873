/**
 * Writes the generated documentation: docs/errors with every code, the JSON Schema of the
 * mapping book, assumptions, tables in handwritten pages, and docs/pictures. A test fails if one is
 * stale.
 *
 *     pnpm run docs
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { pages } from "./pages/Pages.ts"
import * as AssumptionsPage from "./pages/AssumptionsPage.ts"
import { filled, parts } from "./GeneratedParts.ts"
import { pictures } from "./pictures/Pictures.ts"

const root = new URL("..", import.meta.url)
mkdirSync(new URL("docs/errors/", root), { recursive: true })
mkdirSync(new URL("docs/schemas/output/", root), { recursive: true })
mkdirSync(new URL("docs/pictures/", root), { recursive: true })
const written = new Map([...pages(), ...pictures()])
for (const name of readdirSync(new URL("docs/errors/", root))) {
  if (!written.has(`docs/errors/${name}`)) rmSync(new URL(`docs/errors/${name}`, root))
}
for (const [file, text] of written) writeFileSync(new URL(file, root), text)
writeFileSync(new URL("docs/assumptions.md", root), AssumptionsPage.render())
const mixed = parts()
for (const [file, generated] of mixed) {
  const page = new URL(file, root)
  writeFileSync(page, filled(readFileSync(page, "utf8"), generated))
}
process.stdout.write(`${written.size + 1} pages and pictures, ${mixed.size} with generated parts\n`)
