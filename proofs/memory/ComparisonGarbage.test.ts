import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { join } from "node:path"

const at = (file: string) => JSON.stringify(join(import.meta.dirname, "../../packages/core/src", file))

/**
 * Returns the MiB of old space after documents were compared with an empty store, or read and kept,
 * with a small young generation.
 */
const oldAfter = (use: "compared" | "kept", documents: number): number => {
  const { stderr, stdout } = spawnSync(
    process.execPath,
    [
      "--single-threaded-gc",
      "--max-semi-space-size=1",
      "--input-type=module",
      "-e",
      `import { Effect } from "effect"
       import { getHeapSpaceStatistics } from "node:v8"
       import { create } from ${at("import/StagingArea.ts")}
       import { Staging } from ${at("import/Staging.ts")}
       import { compare } from ${at("import/StoreComparison.ts")}
       import { layerMemory } from ${at("node/SqliteStaging.ts")}
       const old = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space").space_used_size
       const none = () => Effect.succeed([])
       const ledger = { holders: none, registered: none, alike: none, spellings: none }
       const store = { known: none, ledger }
       await Effect.runPromise(Effect.gen(function* () {
         const sql = yield* (yield* Staging).open
         yield* create(sql)
         yield* sql\`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${documents})
           insert into document (seq, kind, id, number, folded, key, fingerprint)
           select i, 'invoice', 'INV-' || i, 'INV-' || i, 'inv ' || i, 'invoice INV-' || i, hex(randomblob(32)) from n\`
         const before = old()
         const result = ${
           use === "compared"
             ? 'yield* compare(sql, {}, { account: "a", taxpayer: "t" }, store)'
             : "yield* sql`select kind, id, number, key, fingerprint from document`"
         }
         console.log(Math.round((old() - before) / 2 ** 20), result === null ? 1 : "")
       }).pipe(Effect.scoped, Effect.provide(layerMemory)))`
    ],
    { encoding: "utf8", cwd: join(import.meta.dirname, "../../packages/core") }
  )
  assert.match(stdout, /^-?\d+ \n$/, stderr)
  return Number(stdout)
}

describe("the documents compared with the store", () => {
  it("are freed at once, without a full collection", () => {
    const kept = oldAfter("kept", 20_000)
    // Space of the same documents if kept: shows that the measurement can detect them.
    assert.isAbove(kept, 5)
    assert.isBelow(oldAfter("compared", 20_000), Math.min(5, kept / 2))
  })
})
