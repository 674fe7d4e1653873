/**
 * Compares entry points and imports from `unstable/` with `scripts/doors.json`.
 *
 *     node scripts/doors.ts            part of `pnpm lint`; fails if they differ
 *     node scripts/doors.ts --write    writes the list
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { added, entryPoints, type EntryPoints } from "./EntryPointList.ts"

const file = join(import.meta.dirname, "doors.json")
const now = entryPoints()
const text = `${JSON.stringify(now, null, 2)}\n`

if (process.argv.includes("--write")) writeFileSync(file, text)
else {
  const listed = readFileSync(file, "utf8")
  for (const problem of added(now, JSON.parse(listed) as EntryPoints)) process.stderr.write(`${problem}\n`)
  if (listed !== text) {
    process.stderr.write(
      "scripts/doors.json differs from the sources. Use a public entry point, or: node scripts/doors.ts --write\n"
    )
    process.exitCode = 1
  }
}
