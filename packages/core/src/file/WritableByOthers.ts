import { Effect, FileSystem, Option, Path, type PlatformError } from "effect"
import { statfs } from "node:fs/promises"
import { located } from "./HostProcess.ts"

/** A path that others can change. `nobody-knows`: the file system stores no permissions. */
export interface Writable {
  readonly by: "everyone" | "group" | "nobody-knows"
  readonly text: string
}

const sticky = 0o1000

/**
 * By Linux's type number: FAT, exFAT, NTFS in its three drivers, 9p (Windows folders in WSL), SMB
 * in two, shared folders of virtual machines. The mode of each file is a mount option.
 */
const withoutModes: ReadonlySet<number> = new Set([
  0x4d44, 0x2011bab0, 0x5346544e, 0x7366746e, 0x65735546, 0x01021997, 0xff534d42, 0xfe534d42, 0x786f4256
])

export const keepsModes = (type: number): boolean => !withoutModes.has(type >>> 0)

const fileSystemKeepsModes = (path: string): Effect.Effect<boolean> =>
  Effect.flatMap(located(path), (place) =>
    Effect.tryPromise(async () => keepsModes((await statfs(place)).type)).pipe(Effect.orElseSucceed(() => true))
  )

/** No user can write to a read-only mount, such as a ConfigMap, with any mode. */
const isReadOnly = ({ reason }: PlatformError.PlatformError): boolean =>
  reason.cause instanceof Error && "code" in reason.cause && reason.cause.code === "EROFS"

/** Debian and others give each user a group with the user's own number. */
const isOwnGroup = (gid: number): boolean => gid === process.getuid?.()

const whoWrites = ({ gid, mode, type }: FileSystem.File.Info): "everyone" | "group" | undefined => {
  // in a folder with the sticky bit, users replace only their own files
  if (type === "Directory" && (mode & sticky) !== 0) return undefined
  if ((mode & 0o002) !== 0) return "everyone"
  return (mode & 0o020) !== 0 && !isOwnGroup(Option.getOrElse(gid, () => -1)) ? "group" : undefined
}

const subjects = { everyone: "every user", group: "a group of users" } as const

/**
 * Returns an entry for each path that others can write, and a single entry for all paths on a file
 * system without modes.
 */
export const among = (
  paths: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Writable>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { sep } = yield* Path.Path
    // Windows has no comparable permissions
    if (sep !== "/") return []
    const found: Array<Writable> = []
    for (const path of new Set(paths)) {
      const stat = Option.getOrUndefined(yield* Effect.option(fs.stat(path)))
      const by = stat === undefined ? undefined : whoWrites(stat)
      if (stat === undefined || by === undefined) continue
      const access = yield* Effect.result(fs.access(path, { writable: true }))
      if (access._tag === "Failure" && isReadOnly(access.failure)) continue
      if (yield* fileSystemKeepsModes(path)) {
        const mode = (stat.mode & 0o7777).toString(8).padStart(4, "0")
        found.push({ by, text: `${subjects[by]} may write ${path} (mode ${mode})` })
      } else if (!found.some((one) => one.by === "nobody-knows")) {
        const text = `the file system of ${path} keeps no permissions, so it is not known who may write there`
        found.push({ by: "nobody-knows", text })
      }
    }
    return found
  })

export const byEveryone = (found: ReadonlyArray<Writable>): ReadonlyArray<string> =>
  found.flatMap(({ by, text }) => (by === "everyone" ? [text] : []))
