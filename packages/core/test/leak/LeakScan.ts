/**
 * Runs before every test file (vitest's `setupFiles`): from its first test on everything that comes out is searched for what is planted (Planted.ts), and what
 * is found where it may not be (Allowed.ts) fails the file.
 */
import { afterAll } from "vitest"
import { lookAtFolders } from "./Folders.ts"
import * as Leaks from "./Leaks.ts"
import { lookAtErrors, lookAtMetrics, watch } from "./Watched.ts"

const watching = Symbol.for("fiscal-connector/test/leak")

// once in each process: it runs many files
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
