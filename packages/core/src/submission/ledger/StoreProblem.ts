/**
 * Converts errors of the system or the database about a store's place to sentences with
 * instructions.
 */

export const staging = "plan an import"

type ProblemPattern = readonly [said: RegExp, code: string | null, sentence: string]

const another = "or name another place"

const denied = `this user may not read and write it, and its folder: give that right, ${another}`
const full = "the disk is full: free some space, and run the command again"

const known: ReadonlyArray<ProblemPattern> = [
  [/ENOENT/, "ENOENT", `its folder is not there: make the folder, ${another}`],
  [/ENOTDIR/, "ENOENT", "what should be its folder is a file: name another place"],
  [/EISDIR/, "EISDIR", "it is a folder, and a file is needed: name a file in it"],
  [/EROFS/, "EROFS", "the disk can only be read: name a place that can be written"],
  [/EACCES/, "EACCES", denied],
  [/EPERM/, "EPERM", denied],
  [/readonly database/, "SQLITE_READONLY", denied],
  [/unable to open database/, "SQLITE_CANTOPEN", denied],
  [/ENOSPC/, "ENOSPC", full],
  [/database or disk is full/, "SQLITE_FULL", full],
  [
    /disk I\/O error/,
    "SQLITE_IOERR",
    "the disk did not do what it was asked: look whether it is full, was removed, or fails"
  ],
  [/EMFILE|ENFILE/, "EMFILE", "too many files are open on this machine: close some, and run the same again"],
  [/ENAMETOOLONG/, null, "the name is longer than the system takes: name another place"],
  [/ELOOP/, null, "its path leads in a circle: name another place"],
  [
    /ECONNREFUSED/,
    "ECONNREFUSED",
    "nothing answers there: look whether the database runs, and whether host and port are right"
  ],
  [/ENOTFOUND|EAI_AGAIN/, "ENOTFOUND", "the name of its server is not known: look at the name, and at the network"]
]

export const problemOf = (cause: unknown): string => {
  const text = cause instanceof Error ? cause.message : String(cause)
  const found = known.find(([pattern]) => pattern.test(text))
  if (found === undefined) return text
  const [, code, sentence] = found
  return code === null ? sentence : `${sentence} (${code})`
}
