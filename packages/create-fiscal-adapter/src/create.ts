/** Writes a new adapter: the template beside this package, with the adapter's own name in it. */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const template = join(import.meta.dirname, "../template")

/** What the template is called itself. */
const placeholder = /acme/g

const namePattern = /^[a-z][a-z0-9-]{0,40}$/

/** npm leaves out a `.gitignore` when it packs. */
const asPacked = { _gitignore: ".gitignore" }

/**
 * Makes the folder `fiscal-adapter-NAME` in `within` and says what to do next. Throws an Error whose message is a sentence: a name that could
 * not prefix an option, or a folder that is there already.
 */
export const create = (name: string, within: string): string => {
  if (!namePattern.test(name))
    throw new Error(
      `${JSON.stringify(name)} is no name of an adapter: small letters, digits and dashes, as acme-books.`
    )
  const folder = join(within, `fiscal-adapter-${name}`)
  if (existsSync(folder)) throw new Error(`There is something at ${folder} already; nothing was written.`)
  cpSync(template, folder, { recursive: true })
  for (const [packed, own] of Object.entries(asPacked)) renameSync(join(folder, packed), join(folder, own))
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(placeholder, name))
    if (entry.name.includes("acme")) renameSync(file, join(entry.parentPath, entry.name.replaceAll(placeholder, name)))
  }
  return `${folder} is an adapter that passes its own suite. Next:

  cd fiscal-adapter-${name}
  npm install
  npm test

Then put exports of your system into fixtures/, and let src/adapter.ts read them. README.md goes through it.`
}
