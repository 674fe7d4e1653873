/** Pages of the documentation. The bundled command contains them (scripts/artefact). */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "../../../../docs")

/** Markdown of each page by topic. `errors` is the list of all codes. */
export const pages: Readonly<Record<string, string>> = Object.fromEntries([
  ...readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => [name.slice(0, -".md".length), readFileSync(join(folder, name), "utf8")] as const),
  ["errors", readFileSync(join(folder, "errors/README.md"), "utf8")] as const
])
