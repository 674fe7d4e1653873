import { readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "../../../../docs")
const textOf = (page: string): string =>
  readFileSync(join(folder, `${page}.md`), "utf8").replaceAll(/ scene:\S+$/gm, "")
const order = textOf("README").matchAll(/\]\(([a-z-]+)\.md/g)

/**
 * Markdown of each page by topic, in the reading order of docs/README.md. `errors` is the list of
 * all codes.
 */
export const pages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from(order, ([, topic]) => [topic!, textOf(topic!)])),
  errors: textOf("errors/README")
}
