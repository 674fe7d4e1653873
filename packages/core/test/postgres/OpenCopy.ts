/** Programs that another user has to start, from a checkout that this user may not enter. */
import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"

export interface OpenFolder {
  readonly folder: string
  /** Removes the copy, if there is one. */
  readonly remove: () => void
}

const everyoneMayEnter = (folder: string): boolean => {
  const parent = dirname(folder)
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || everyoneMayEnter(parent))
}

/**
 * Returns the folder if every user may enter it, otherwise a copy that every user may enter. A
 * checkout in root's home, which is usually closed, needs the copy.
 */
export const openCopy = (folder: string): OpenFolder => {
  if (everyoneMayEnter(folder)) return { folder, remove: () => {} }
  // Containers mount the memory that tests use as temporary folder without the right to execute.
  const copy = mkdtempSync("/tmp/fiscal-open-copy-")
  execFileSync("cp", ["-a", `${folder}/.`, copy])
  chmodSync(copy, 0o755)
  return { folder: copy, remove: () => rmSync(copy, { recursive: true, force: true }) }
}
