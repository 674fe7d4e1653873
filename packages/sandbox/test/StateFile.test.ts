import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Input } from "../src/SandboxConfig.ts"
import { creditNote, invoice } from "./documents.ts"
import { get, jsonOf, send } from "./GatewayCaller.ts"
import { account, start, withSandbox } from "./sandboxes.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sandbox-state-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const inDirectory = <A, E>(use: (directory: string) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(directory, use))

describe("a state file", () => {
  it.effect("keeps mappings, requests, receipts, days, counters and the clock for the next run", () =>
    inDirectory((path) =>
      Effect.gen(function* () {
        const config: Input = { stateFile: join(path, "state.json"), processingDelayMillis: 1000 }
        const [id, pendingId] = yield* withSandbox(function* (sandbox) {
          yield* send(sandbox, "POST", "/taxmapping", { TaxCode: "NEW", TaxName: "New", DestinationTaxId: 2 })
          const fiscalised = yield* send(sandbox, "POST", "/invoice", invoice())
          yield* sandbox.control.moveClock({ advanceMillis: 24 * 3600 * 1000 })
          yield* sandbox.control.closeDay()
          const waiting = yield* send(sandbox, "POST", "/creditnote", creditNote({ Date: "2025-06-03T14:00:01+02:00" }))
          return [fiscalised.text, waiting.text]
        }, config)
        yield* withSandbox(function* (sandbox) {
          assert.strictEqual((yield* sandbox.control.clock).now, "2025-06-03T12:00:00.000Z")
          assert.include((yield* get(sandbox, "/taxmapping")).text, `"TaxCode":"NEW"`)
          assert.include((yield* get(sandbox, "/reports/z-report/1")).text, `"Amount":115`)
          yield* sandbox.control.moveClock({ advanceMillis: 1000 })
          const items = jsonOf(yield* send(sandbox, "POST", "/status", [id, pendingId])) as ReadonlyArray<{
            readonly Success: boolean
            readonly QrData: { readonly FiscalDay: number; readonly InvoiceNumber: number }
          }>
          assert.deepStrictEqual(
            items.map(({ QrData: { FiscalDay, InvoiceNumber }, Success }) => [Success, FiscalDay, InvoiceNumber]),
            [
              [true, 1, 1],
              [true, 2, 2]
            ]
          )
          // The number and the original are remembered: the same document again is a second,
          // marked receipt.
          yield* send(sandbox, "POST", "/invoice", invoice())
          yield* sandbox.control.moveClock({ advanceMillis: 1000 })
          assert.deepStrictEqual(
            (yield* sandbox.control.coloured).map(({ marks }) => marks.map(({ code }) => code)),
            [["RCPT013", "RCPT014", "RCPT030"]]
          )
          const [counted] = yield* sandbox.control.accepted
          assert.include(counted, { id: "inv-1", accepted: 2, receipts: 2 })
          assert.include((yield* get(sandbox, `/download/${id}.pdf`)).text, "%PDF")
        }, config)
      })
    )
  )

  it.effect("is readable by its owner only, and no other file remains", () =>
    inDirectory((path) =>
      Effect.gen(function* () {
        const stateFile = join(path, "state.json")
        yield* withSandbox((sandbox) => send(sandbox, "POST", "/invoice", invoice()), { stateFile })
        assert.strictEqual(statSync(stateFile).mode & 0o777, 0o600)
        assert.deepStrictEqual(readdirSync(path), ["state.json"])
        assert.notInclude(readFileSync(stateFile, "utf8"), "sandbox-secret")
      })
    )
  )

  it.effect("is not changed if it is unusable, and the error states why", () =>
    inDirectory((path) =>
      Effect.gen(function* () {
        const stateFile = join(path, "state.json")
        const failure = (config: Input) => Effect.flip(Effect.scoped(start({ stateFile, ...config })))
        for (const text of ["", "{", `{"version":2}`]) {
          writeFileSync(stateFile, text)
          const error = yield* failure({})
          assert.strictEqual(error.reason._tag, "StateUnusable")
          assert.include(error.message, stateFile)
          assert.strictEqual(readFileSync(stateFile, "utf8"), text)
        }
        rmSync(stateFile)
        yield* withSandbox(() => Effect.void, { stateFile })
        assert.include((yield* failure({ accounts: [{ ...account, name: "other" }] })).message, "account main")
        assert.include(
          (yield* failure({ devices: [{ deviceId: 2 }], accounts: [{ ...account, device: 2 }] })).message,
          "device 1001"
        )
        const nowhere = yield* failure({ stateFile: join(path, "missing", "state.json") })
        assert.strictEqual(nowhere.reason._tag, "StateUnusable")
      })
    )
  )
})
