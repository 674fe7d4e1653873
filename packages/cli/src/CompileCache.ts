/**
 * Where compiled code is kept between two runs: a folder that nobody but this user can write, or none. Node runs what it finds there, so in the
 * system's temporary directory, where it is kept by default, another user of the machine could put code in.
 */
import { lstatSync, mkdirSync, realpathSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Undefined where the system has no users' numbers: there a user's own folders are closed to others by the system. */
  readonly user: number | undefined
  readonly home: string
}

const root = 0
const sticky = 0o1000

/** Whether nobody but the user, or root, can put anything else in the folder's place: it, and all above it, are theirs. */
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

const cacheOf = ({ env, home, user }: Surroundings): string | undefined => {
  if (user === undefined) return env["LOCALAPPDATA"]
  const said = env["XDG_CACHE_HOME"]
  return said !== undefined && isAbsolute(said) ? said : join(home, ".cache")
}

/** Makes the folder where it is missing. Undefined where none can be had. */
export const folder = (
  surroundings: Surroundings = { env: process.env, user: process.getuid?.(), home: homedir() }
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
    // no home, no room, no right: it starts a little slower
    return undefined
  }
}
