/** An import is a durable job: killed at any point, either nothing of it was accepted, and that is said, or all of it is sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, connectorProcess, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

/** Two pages of what is kept and handed over. */
const documents = 210

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total\n"
const rows = (price = "9.99", total = "19.98") =>
  Array.from(
    { length: documents },
    (_, i) => `S-${i + 1},2026-03-02,USD,inclusive,Solar lamp,2,${price},VAT155,85131000,${total}\n`
  ).join("")

const book = JSON.stringify({
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["VAT155"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
})

const prepared = Effect.gen(function* () {
  const folder = yield* folderWith()
  const sandbox = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1 } })
  writeFileSync(join(folder, "sales.csv"), header + rows())
  writeFileSync(join(folder, "sales.book.json"), book)
  const run = (args: ReadonlyArray<string>, killedAt?: string) => {
    const all = [...args, "--config", "account.json"]
    return killedAt === undefined
      ? connector(all, { cwd: folder })
      : connectorProcess(all, {
          cwd: folder,
          env: { KILLED_AT: killedAt, NODE_OPTIONS: `--import=${join(import.meta.dirname, "KilledAt.ts")}` }
        })
  }
  const imports = ["import", "csv", "sales.csv", "--book", "sales.book.json"]
  return { folder, sandbox, run, imports }
})

describe("an import that is killed", () => {
  // keeping, accepting and handing over, each before and after its commit
  for (const [point, commits] of [
    ["before", [6, 11]],
    ["after", [9, 11]]
  ] as const)
    it.live(
      `${point} a commit of the store has accepted nothing, or all of it is sent`,
      () =>
        Effect.gen(function* () {
          const seen = new Set<string>()
          for (const commit of commits) {
            const { folder, imports, run, sandbox } = yield* prepared
            const killed = yield* run(imports, `COMMIT ${commit} ${point}`)
            assert.isNull(killed.code, `commit ${commit}: ${killed.err}`)
            const [listed] = lines((yield* run(["imports", "--json"])).out)
            const standing = listed?.["standing"] as string | undefined
            seen.add(standing ?? "none")
            if (standing === "accepted") assert.match((yield* run(["health"])).out, /IMPORT_WAITS/)
            const resumed = yield* run(["resume"])
            const receipts = yield* sandbox.control.receipts
            if (standing === undefined || standing === "begun") {
              assert.strictEqual(receipts.length, 0, "nothing was accepted")
              if (standing === "begun")
                assert.match((yield* run(["imports", String(listed!["id"])])).out, /Nothing of it was accepted/)
            } else {
              assert.strictEqual(new Set(receipts.map(({ documentNumber }) => documentNumber)).size, documents, folder)
              assert.strictEqual(receipts.length, documents)
              assert.include([0, 3], resumed.code)
            }
          }
          assert.isTrue(seen.has("accepted"), [...seen].join(", "))
        }).pipe(Effect.scoped),
      300_000
    )

  it.live(
    "is handed over as it was translated then, by the next import of any process, or ended by its cancellation",
    () =>
      Effect.gen(function* () {
        const { folder, imports, run, sandbox } = yield* prepared
        assert.isNull((yield* run(imports, "COMMIT 10 after")).code)
        const [listed] = lines((yield* run(["imports", "--json"])).out)
        assert.strictEqual(listed?.["standing"], "accepted")
        // the book says something else today
        writeFileSync(join(folder, "sales.book.json"), book.replace("VAT155", "VAT155x"))
        writeFileSync(
          join(folder, "more.csv"),
          header + rows().split("\n")[0]!.replace("S-1,", "T-1,").replace("VAT155", "VAT155x") + "\n"
        )
        yield* run(["import", "csv", "more.csv", "--book", "sales.book.json", "--send-rest"])
        const receipts = yield* sandbox.control.receipts
        assert.strictEqual(receipts.filter(({ documentNumber }) => documentNumber.startsWith("S-")).length, documents)

        const other = yield* prepared
        assert.isNull((yield* other.run(imports, "COMMIT 10 after")).code)
        const [open] = lines((yield* other.run(["imports", "--json"])).out)
        const cancelled = yield* other.run(["imports", "cancel", String(open!["id"])])
        assert.match(cancelled.out, /is cancelled. \d+ documents of it will not be sent/, cancelled.err)
        yield* other.run(["resume"])
        assert.isBelow((yield* other.sandbox.control.receipts).length, documents)
        assert.strictEqual((yield* other.run(["imports", "cancel", String(open!["id"])])).code, 1)
      }).pipe(Effect.scoped),
    300_000
  )
})

describe("a wrong secret", () => {
  it.live("ends the import with exit code 1 before anything is planned", () =>
    Effect.gen(function* () {
      const { folder, imports, run } = yield* prepared
      writeFileSync(
        join(folder, "secret"),
        readFileSync(join(folder, "secret"), "utf8").split("").toReversed().join("")
      )
      const { code, err, out } = yield* connector([...imports, "--config", "account.json"], {
        cwd: folder,
        env: { FISCAL_CONNECTOR_MAIN_API_SECRET: "another secret" }
      })
      assert.strictEqual(code, 1, out + err)
      assert.notMatch((yield* run(["list"])).out, /S-1/)
    }).pipe(Effect.scoped)
  )
})
