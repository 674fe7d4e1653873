/** Cache of the bundled command for tests and benches, keyed by the bundle's text. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { command, type CommandFiles } from "./Command.ts"

const programs = join(import.meta.dirname, "../../node_modules/.cache/command")

const dayMillis = 86_400_000

/**
 * Writes the program into a folder named after the hash of its text, so that parallel suites never
 * change a running program.
 */
const kept = ({ files }: CommandFiles): string => {
  const hash = createHash("sha256")
  for (const text of Object.values(files)) hash.update(text)
  const folder = join(programs, hash.digest("hex").slice(0, 16))
  const program = join(folder, "start.mjs")
  if (existsSync(folder)) return program
  mkdirSync(programs, { recursive: true })
  for (const name of readdirSync(programs)) {
    const old = join(programs, name)
    if (Date.now() - statSync(old).mtimeMs > dayMillis) rmSync(old, { recursive: true })
  }
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(unfinished, name), text)
  try {
    renameSync(unfinished, folder)
  } catch (cause) {
    // another suite has written the same folder in the meantime
    rmSync(unfinished, { recursive: true })
    if (!existsSync(folder)) throw cause
  }
  return program
}

/** Returns the path of the program. */
export const keptCommand = async (): Promise<string> => kept(await command())
