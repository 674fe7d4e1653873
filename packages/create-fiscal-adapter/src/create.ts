/** Writes a new adapter: the template, with the adapter's own name in it. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { template } from "./Template.ts"

/** What the template is called itself. */
const placeholder = /acme/g

/** Files that npm leaves out when it packs, or reads as those of a package within a package. */
const ownNames: Readonly<Record<string, string>> = { _gitignore: ".gitignore", "_package.json": "package.json" }

const namePattern = /^[a-z][a-z0-9-]{0,40}$/

/**
 * Makes the folder `fiscal-adapter-NAME` in `within` and says what to do next. Throws an Error whose message is a sentence: a name that could
 * not prefix an option, or a folder that is there already.
 */
export const create = (name: string, within: string): string => {
  if (!namePattern.test(name))
    throw new Error(
      `${JSON.stringify(name)} is not a name of an adapter: small letters, digits and dashes, as acme-books.`
    )
  const folder = join(within, `fiscal-adapter-${name}`)
  if (existsSync(folder)) throw new Error(`There is something at ${folder} already; nothing was written.`)
  for (const [path, text] of Object.entries(template)) {
    const file = join(folder, (ownNames[path] ?? path).replaceAll(placeholder, name))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll(placeholder, name))
  }
  return `${folder} is an adapter that passes its own suite. Next:

  cd fiscal-adapter-${name}
  npm install
  npm test

Then put exports of your system into fixtures/, and let src/adapter.ts read them. README.md goes through it.`
}
