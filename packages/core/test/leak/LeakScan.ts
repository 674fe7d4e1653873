/**
 * Runs before every test file (vitest's `setupFiles`): searches all output from the first test on
 * for planted texts (Planted.ts). A planted text in a place that is not permitted (Allowed.ts)
 * fails the file.
 */
import { afterAll } from "vitest"
import { lookAtFolders } from "./Folders.ts"
import * as Leaks from "./Leaks.ts"
import { lookAtErrors, lookAtMetrics, watch } from "./Watched.ts"

const watching = Symbol.for("fiscal-connector/test/leak")

// Once in each process, which runs many files.
if (!(watching in globalThis)) {
  Object.assign(globalThis, { [watching]: true })
  watch()
}

afterAll(() => {
  lookAtFolders()
  lookAtErrors()
  lookAtMetrics()
  const leaks = Leaks.taken()
  if (leaks.length > 0) throw new Error(`${leaks.length} leaks\n${leaks.map(Leaks.sentence).join("\n")}`)
})
