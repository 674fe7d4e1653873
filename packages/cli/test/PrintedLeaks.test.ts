import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Leak, taken } from "../../core/test/leak/Leaks.ts"
import { buyer } from "../../core/test/leak/Planted.ts"
import { lookAtErrors } from "../../core/test/leak/Watched.ts"
import { connector, connectorProcess, folderWith, key, secret } from "./RunningConnector.ts"

/** Takes the leaks found so far, so that the planted ones do not fail this file. */
const leaked = (): ReadonlyArray<string> => taken().map(({ kind, text }: Leak) => `${kind}: ${text}`)

describe("the search for planted secrets", () => {
  it.live("finds printed text of a child process and of this process", function* () {
    yield* connectorProcess([`--${key}`])
    assert.deepStrictEqual(leaked(), [`process: ${key}`])
    yield* connector([`--${secret}`])
    lookAtErrors()
    assert.sameMembers([...new Set(leaked())], [`process: ${secret}`, `error: ${secret}`])
    yield* connectorProcess([`--${buyer}`])
    assert.deepStrictEqual(leaked(), [`process: ${buyer}`])
  })

  it.effect("finds secrets left in a folder, except in the operator's own files", function* () {
    yield* Effect.scoped(
      Effect.map(folderWith("historical-invoices.csv"), (folder) => {
        writeFileSync(join(folder, "key"), key)
        writeFileSync(join(folder, "secret"), secret)
      })
    )
    assert.deepStrictEqual(leaked(), [])
    yield* Effect.scoped(
      Effect.map(folderWith(), (folder) => {
        writeFileSync(join(folder, "fiscal-connector.db"), secret)
        writeFileSync(join(folder, "account.stores.json"), JSON.stringify({ buyer }))
      })
    )
    assert.sameMembers([...leaked()], [`file: ${secret}`, `file: ${buyer}`])
  })
})
