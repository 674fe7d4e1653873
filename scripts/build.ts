/**
 * Writes the command as it is published, beside the compiled packages.
 *
 *     pnpm build
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { command } from "./artefact/Command.ts"

const folder = join(import.meta.dirname, "../packages/cli/dist")

mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries((await command()).files)) {
  writeFileSync(join(folder, name), text, { mode: name.endsWith(".mjs") ? 0o755 : 0o644 })
  process.stdout.write(`${name}: ${(text.length / 1e6).toFixed(2)} MB\n`)
}
