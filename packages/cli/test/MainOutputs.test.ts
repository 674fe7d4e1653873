/**
 * Compares the output of the main commands at eighty columns with the files in `outputs/`.
 * UPDATE_DOCS=1 writes the files; check the difference before keeping them.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { shellText } from "../src/output/Call.ts"
import { connector, examples, folderWith, gatewayFor } from "./RunningConnector.ts"

const outputs = join(import.meta.dirname, "outputs")
const isWritten = process.env["UPDATE_DOCS"] !== undefined

const days = () => [-1, 0, 1].map((day) => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10)).join("|")

/**
 * Replaces times of this run, durations, ids and places by texts of the same width, since the
 * content sets the width of tables.
 */
const lasting = (text: string, folder: string, url: string) =>
  text
    .replaceAll(folder, "/FOLDER")
    .replaceAll(url, "http://127.0.0.1:PORT")
    .replaceAll(new RegExp(`(${days()})([T ])\\d{2}:\\d{2}(:\\d{2})?(\\.\\d+)?`, "g"), (_, __, t: string, s?: string) =>
      s === undefined ? `YYYY-MM-DD${t}hh:mm` : `YYYY-MM-DD${t}hh:mm:ss`
    )
    .replaceAll(new RegExp(days(), "g"), "YYYY-MM-DD")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
    .replaceAll(/\b[0-9A-F]{4}(-[0-9A-F]{4}){3}\b/g, "XXXX-XXXX-XXXX-XXXX")
    .replaceAll(/\b\d+(\.\d+)? (ms|KiB|MiB|bytes|days)\b/g, "N $2")
    .replaceAll(/^(.* of \d+ documents have their outcome.*|[\d,]+ documents read, .*)\n/gm, "")
    .replaceAll(/ +$/gm, "")

type Gateway = Effect.Success<ReturnType<typeof gatewayFor>>

interface Step {
  readonly args: ReadonlyArray<string>
  readonly code: number
  readonly before?: (cwd: string, gateway: Gateway) => Effect.Effect<unknown, unknown> | void
}

const sales = "historical-invoices.csv"
const of = ["--config", "account.json"]
const clear = (_: string, { control }: Gateway) => control.clearFaults

/** Steps in their order; each continues after the previous. */
const steps: Readonly<Record<string, Step>> = {
  "plan-without-book": { args: ["plan", "csv", "bookless.csv"], code: 0 },
  plan: { args: ["plan", "csv", sales, ...of], code: 0 },
  "plan-with-faults": { args: ["plan", "csv", "historical-invoices-with-faults.csv"], code: 2 },
  doctor: { args: ["doctor", ...of, "--book", "historical-invoices.book.json"], code: 0 },
  "import-broken-off": {
    args: ["import", "csv", sales, ...of],
    code: 3,
    before: (_, { control }) =>
      Effect.andThen(
        control.addFault({ kind: "reject", documents: ["INV-0003"], error: "RCPT026: tax wrong" }),
        control.addFault({ kind: "drop", stage: "before", documents: ["INV-0006"], operations: ["submitInvoice"] })
      )
  },
  health: { args: ["health", ...of], code: 3 },
  "explain-unknown": { args: ["explain", "INV-0006", ...of], code: 0 },
  "list-unknown": { args: ["list", "--state", "Unknown", ...of], code: 0 },
  resolve: {
    args: ["resolve", "INV-0006", "--not-processed", "--although-recent", "--because", "not in the portal", ...of],
    code: 0,
    before: clear
  },
  "import-stopped": {
    args: ["import", "csv", sales, ...of],
    code: 3,
    before: (_, { control }) =>
      control.addFault({ kind: "error", status: 401, skip: 3, operations: ["submitInvoice", "submitCreditNote"] })
  },
  "resume-stopped": { args: ["resume", ...of], code: 3 },
  resume: {
    args: ["resume", ...of],
    // One document was rejected and waits for the operator.
    code: 3,
    // The lane pauses for a moment after the 401.
    before: (cwd, { control }) =>
      Effect.andThen(
        control.clearFaults,
        Effect.repeat(connector(["health", ...of, "--json"], { cwd }), {
          until: ({ out }) => {
            const at = /"retryAt":"([^"]+)"/.exec(out)?.[1]
            return at === undefined || Date.parse(at) < Date.now()
          }
        })
      )
  },
  "import-again": { args: ["import", "csv", sales, ...of], code: 2 },
  "import-with-faults": {
    args: ["import", "csv", "historical-invoices-with-faults.csv", "--sandbox"],
    code: 2
  },
  list: { args: ["list", ...of], code: 0 },
  explain: { args: ["explain", "INV-0003", ...of], code: 0 },
  why: { args: ["why", "RCPT026"], code: 0 },
  "z-reports": {
    args: ["z-reports", ...of],
    code: 0,
    before: (_, { control }) => control.closeDay()
  },
  "z-reports-day": { args: ["z-reports", "--day", "1", ...of], code: 0 },
  reconcile: { args: ["reconcile", "--from", "2026-01-01", "--to", "2099-12-31", ...of], code: 0 },
  pdf: { args: ["pdf", "INV-0001", ...of], code: 0 },
  "pdf-all": { args: ["pdf", "--all", "--out-dir", "pdf", ...of], code: 0 },
  forget: { args: ["forget", "--before", "2026-01-01", ...of], code: 0 },
  "refused-file": { args: ["plan", "csv", "nowhere.csv"], code: 1 },
  "refused-workbook": { args: ["plan", "csv", "historical-invoices.xlsx"], code: 1 },
  "refused-book": { args: ["import", "csv", "bookless.csv", ...of], code: 1 },
  "refused-question": { args: ["plan", "csv", "question.csv"], code: 1 },
  "refused-store": {
    args: ["import", "csv", sales, "--config", "elsewhere.json"],
    code: 1,
    before: (cwd) => {
      const text = readFileSync(join(cwd, "account.json"), "utf8")
      writeFileSync(join(cwd, "elsewhere.json"), JSON.stringify({ ...JSON.parse(text), store: "no/store.db" }))
    }
  },
  "refused-configuration": { args: ["import", "csv", sales, "--config", "nowhere.json"], code: 1 },
  "refused-destination": { args: ["import", "csv", sales], code: 1 }
}

const question =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode\nINV-1,03/02/2026,USD,inclusive,Lamp,1,10.00,Standard\n"

// slow: runs every main command
describe("the printed output of the main commands", () => {
  it.live("is identical to its golden files, at eighty columns", function* () {
    const cwd = yield* folderWith(
      sales,
      "historical-invoices.book.json",
      "historical-invoices-with-faults.csv",
      "historical-invoices-with-faults.book.json",
      "historical-invoices.xlsx"
    )
    copyFileSync(join(examples, sales), join(cwd, "bookless.csv"))
    writeFileSync(join(cwd, "question.csv"), question)
    const gateway = yield* gatewayFor(cwd)
    if (isWritten) rmSync(outputs, { recursive: true, force: true })
    if (isWritten) mkdirSync(outputs)
    for (const [name, { args, before, code }] of Object.entries(steps)) {
      const made = before?.(cwd, gateway)
      if (made !== undefined) yield* made
      const ended = yield* connector(args, { cwd, env: { COLUMNS: "80", TZ: "UTC" } })
      const text = lasting(
        `$ ${shellText(args)}\n${ended.out}${ended.err === "" ? "" : `--- standard error\n${ended.err}`}[${ended.code}]\n`,
        cwd,
        gateway.url
      )
      assert.strictEqual(ended.code, code, text)
      const file = join(outputs, `${name}.txt`)
      if (isWritten) writeFileSync(file, text)
      assert.strictEqual(text, readFileSync(file, "utf8"), name)
    }
    assert.deepStrictEqual(
      readdirSync(outputs).toSorted(),
      Object.keys(steps)
        .map((name) => `${name}.txt`)
        .toSorted()
    )
  })
})
