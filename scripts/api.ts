/**
 * Writes docs/api, the public surface of every package. Fails if a public export has no docstring.
 *
 *     pnpm run api
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { report } from "./ApiReport.ts"

const root = join(import.meta.dirname, "..")
const { modules, names, pages, undocumented } = report()
mkdirSync(join(root, "docs/api"), { recursive: true })
for (const [file, text] of pages) writeFileSync(join(root, file), text)
process.stdout.write(`${pages.size} packages, ${modules} public modules, ${names} names\n`)
for (const one of undocumented) process.stdout.write(`no docstring: ${one}\n`)
if (undocumented.length > 0) process.exitCode = 1
