/**
 * Folder for compiled code between runs, which Node runs as it finds it: a folder that only this
 * user can write, or undefined. In the system's temporary directory, Node's default, another user
 * could plant code.
 */
import { lstatSync, mkdirSync, realpathSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"

interface CacheSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * Undefined on systems without numeric user ids. There the system closes a user's own folders to
   * other users.
   */
  readonly user: number | undefined
  readonly home: string
}

const root = 0
const sticky = 0o1000

/**
 * True if only the user or root can replace the folder: the folder and all its parents
 * belong to them.
 */
const isOwn = (folder: string, user: number): boolean => {
  const own = lstatSync(folder)
  if (!own.isDirectory() || own.uid !== user || (own.mode & 0o077) !== 0) return false
  for (let above = dirname(folder); ; above = dirname(above)) {
    const { mode, uid } = lstatSync(above)
    const isShared = (mode & 0o022) !== 0 && (mode & sticky) === 0
    if ((uid !== user && uid !== root) || isShared) return false
    if (above === dirname(above)) return true
  }
}

const cacheOf = ({ env, home, user }: CacheSurroundings): string | undefined => {
  if (user === undefined) return env["LOCALAPPDATA"]
  const configured = env["XDG_CACHE_HOME"]
  return configured !== undefined && isAbsolute(configured) ? configured : join(home, ".cache")
}

export const folder = (
  surroundings: CacheSurroundings = { env: process.env, user: process.getuid?.(), home: homedir() }
): string | undefined => {
  const { user } = surroundings
  try {
    const cache = cacheOf(surroundings)
    if (cache === undefined) return undefined
    const made = join(cache, "fiscal-connector", "compiled")
    mkdirSync(made, { recursive: true, mode: 0o700 })
    const real = realpathSync(made)
    return user === undefined || isOwn(real, user) ? real : undefined
  } catch {
    // no home, no space or no permission: the command starts a little slower
    return undefined
  }
}
