/**
 * Temporary folder for uploads, for its owner alone, removed when the page ends. Folders left by a
 * killed page are removed at the next start: the folder's name contains its process id.
 */
import { HostProcess } from "@fiscal-connector/core/host"
import { Effect, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"

const name = (pid: number | string) => `connector-ui-${pid}-`
const named = /^connector-ui-(\d+)-/

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

const abandoned = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).flatMap((entry) => {
    const pid = Number(named.exec(entry)?.[1])
    if (!Number.isInteger(pid) || isAlive(pid)) return []
    const path = join(folder, entry)
    // another page may have removed it
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found?.isDirectory() && found.uid === process.getuid?.() ? [path] : []
  })

export interface PrivateFolder {
  readonly path: string
  /** Returns the path of a new file. The user's file name is never part of a path. */
  readonly next: (ending: string) => string
}

export const make: Effect.Effect<PrivateFolder, never, Scope.Scope> = Effect.flatMap(HostProcess.temporary, (inside) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        for (const path of abandoned(inside)) rmSync(path, { recursive: true, force: true })
        // mkdtemp creates the folder for its owner alone (0700)
        return mkdtempSync(join(inside, name(process.pid)))
      }),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }))
    ),
    (path) => ({ path, next: (ending) => join(path, `${randomUUID()}${ending}`) })
  )
)
