/** Writes a new adapter from the template, with the adapter's own name. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { template } from "./Template.ts"

const placeholder = /acme/g

/** Files that npm would omit from a package, or treat as a nested package. */
const ownNames: Readonly<Record<string, string>> = { _gitignore: ".gitignore", "_package.json": "package.json" }

const namePattern = /^[a-z][a-z0-9-]{0,40}$/

/**
 * Makes the folder `fiscal-adapter-NAME` in `within` and returns the next steps as text. Throws an
 * Error with a full sentence if the name cannot prefix an option, or if the folder already exists.
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
