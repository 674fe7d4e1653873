/** Lists the repository's files for checks and draws. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"

/** Root of the repository. */
export const root = join(import.meta.dirname, "../..")

/** Returns the files of the git pathspecs, tracked or new, relative to the root. */
export const files = (...pathspecs: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...pathspecs], { cwd: root })
    .toString()
    .trim()
    .split("\n")
