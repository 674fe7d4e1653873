/**
 * One decision for many documents: shown first, confirmed by the number of documents, recorded with
 * the reason for each.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { commandsIn, pasted, pastedWithReason } from "./PrintedCommands.ts"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"
import { book, sales } from "./SalesExport.ts"

const config = ["--config", "account.json"]
const importing = ["import", "csv", "historical-invoices.csv", ...config]

/** Returns a folder with 46 planned documents, and a lane stopped before all of them. */
const planned = Effect.gen(function* () {
  const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
  const { control } = yield* gatewayFor(cwd)
  yield* control.addFault({ kind: "error", status: 401, operations: ["submitInvoice"] })
  yield* connector(importing, { cwd })
  return { cwd, control }
})

const states = (cwd: string) =>
  Effect.map(connector(["list", ...config, "--json"], { cwd }), ({ out }) => {
    const counts: Record<string, number> = {}
    for (const { state } of lines(out)) counts[String(state)] = (counts[String(state)] ?? 0) + 1
    return counts
  })

/** Returns a folder whose gateway has stated the same failure of seven documents for 21 hours. */
const unproven = Effect.gen(function* () {
  const cwd = yield* folderWith(book)
  const { control } = yield* gatewayFor(cwd, { gateway: { processingDelayMillis: 1 } })
  const file = join(cwd, "account.json")
  const settings = readFileSync(file, "utf8")
  writeFileSync(file, settings.replace('"STAT-7"', '"STAT-9":"any","STAT-7"'))
  writeFileSync(join(cwd, "sales.csv"), sales(1, 2, 3, 4, 5, 6, 7))
  yield* control.addFault({ kind: "reject", error: "The till is off" })
  yield* connector(["import", "csv", "sales.csv", "--book", book, ...config], { cwd })
  writeFileSync(file, settings)
  const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
  const before = Date.now() - 21 * 3_600_000
  database.exec(`delete from fiscal_outcome;
    update fiscal_submission set state = 'Accepted', rejection = null;
    update fiscal_attempt set begun_at = ${before}, finished_at = ${before}, known_at = ${before}, poll_at = ${before};
    update fiscal_account set able_since = ${before - 1};
    update fiscal_statement set first_at = ${before}, last_at = ${before}, counted_at = ${before}`)
  database.close()
  return cwd
})

const place = "<numbers that the portal shows as failed>"

describe("a failure of many documents that may still become receipts", () => {
  it.live("is settled by the numbers that the operator saw, and by no printed command as printed", function* () {
    const cwd = yield* unproven
    const health = yield* connector(["health", ...config], { cwd })
    const bulk = commandsIn(health.out).filter((line) => /--(?:rejected|resend)/.test(line))
    assert.lengthOf(bulk, 1, health.out)
    const [printed = ""] = bulk
    assert.include(printed, `resolve '${place}' `)
    const reason = printed.replace("<what you saw in the portal>", "not in the portal")
    const refused = yield* pasted(reason, cwd)
    assert.strictEqual(refused.code, 1, refused.out)
    assert.include(refused.err, "only marks their place")
    assert.deepStrictEqual(yield* states(cwd), { Accepted: 7 })
    const numbers = "INV-1 INV-2 INV-3 INV-4 INV-5 INV-7"
    const preview = yield* pasted(reason.replace(`'${place}'`, numbers), cwd)
    assert.include(preview.out, "6 documents would be decided about (Rejected)", preview.err)
    const confirmed = yield* pasted(
      commandsIn(preview.out).find((line) => line.includes("--confirm 6"))!,
      cwd
    )
    assert.strictEqual(confirmed.code, 0, confirmed.err)
    assert.deepStrictEqual(yield* states(cwd), { Accepted: 1, Rejected: 6 })
  })

  it.live("is recorded as fiscalised by the numbers that the operator saw", function* () {
    const cwd = yield* unproven
    const act = ["resolve", "INV-2", "INV-6", "--fiscalised", ...config, "--because", "the portal has both"]
    const done = yield* connector([...act, "--confirm", "2"], { cwd })
    assert.strictEqual(done.code, 0, done.err + done.out)
    assert.deepStrictEqual(yield* states(cwd), { Accepted: 5, Fiscalised: 2 })
  })

  it.live("is settled by its text and the number that the operator saw, which no command prints", function* () {
    const cwd = yield* unproven
    const said = "The till is off"
    const act = ["resolve", "--text", said, "--rejected", said, ...config, "--because", "not in the portal"]
    const preview = yield* connector(act, { cwd })
    assert.include(preview.out, "7 documents would be decided about (Rejected)", preview.err)
    assert.match(preview.out, /the gateway says: The till is off/)
    assert.notMatch(preview.out, /--confirm \d/)
    for (const line of commandsIn(preview.out)) {
      assert.include(line, place)
      assert.strictEqual((yield* pasted(line, cwd)).code, 1)
    }
    assert.deepStrictEqual(yield* states(cwd), { Accepted: 7 })
    const done = yield* connector([...act, "--confirm", "7"], { cwd })
    assert.strictEqual(done.code, 0, done.err)
    assert.deepStrictEqual(yield* states(cwd), { Rejected: 7 })
  })
})

describe("a decision about many documents", () => {
  it.live(
    "is shown first, changes nothing until its count is confirmed, and is one command for all documents",
    function* () {
      const { cwd } = yield* planned
      const because = `sent by hand in the portal ${"because the till was away ".repeat(10)}`.trim()
      const { code, out } = yield* connector(["withdraw", "--import", "1", ...config, "--because", because], { cwd })
      assert.strictEqual(code, 3)
      assert.isTrue(
        out.startsWith(`46 documents would be decided about (Withdrawn), with the reason: ${because}\n`),
        out.slice(0, 500)
      )
      assert.deepStrictEqual(yield* states(cwd), { Planned: 46 })
      const [command = ""] = commandsIn(out)
      assert.match(command, /--confirm 46/)
      const done = yield* pasted(command, cwd)
      assert.strictEqual(done.code, 0, done.err)
      assert.deepStrictEqual(yield* states(cwd), { Withdrawn: 46 })
      const { out: explained } = yield* connector(["explain", "INV-0007", ...config], { cwd })
      assert.include(explained, because)
      // A reason is not shortened if the output is not a terminal.
      assert.include((yield* connector(["audit", ...config], { cwd })).out, because)
    }
  )

  it.live("reads numbers from standard input, and refuses an unknown number or an outdated count", function* () {
    const { cwd } = yield* planned
    const args = ["withdraw", "-", ...config, "--because", "not ours"]
    const unknown = yield* connector(args, { cwd, input: "INV-0001\nINV-9999\n" })
    assert.deepStrictEqual([unknown.code, unknown.err.includes("INV-9999")], [1, true])
    const input = "INV-0001\nINV-0002\n\nINV-0002\n"
    const other = yield* connector([...args, "--confirm", "3"], { cwd, input })
    assert.strictEqual(other.code, 3)
    assert.include(other.err, "2 documents are meant now, and 3 were confirmed")
    assert.deepStrictEqual(yield* states(cwd), { Planned: 46 })
    assert.strictEqual((yield* connector([...args, "--confirm", "2"], { cwd, input })).code, 0)
    assert.deepStrictEqual(yield* states(cwd), { Planned: 44, Withdrawn: 2 })
    const fit = yield* connector(["resolve", "--state", "Planned", ...config, "--not-processed", "--because", "x"], {
      cwd
    })
    assert.include(fit.err, "the decision fits none of the 44 documents as they are now")
  })

  it.live("sends documents that failed for one cause again, by the command that health prints", function* () {
    const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
    const { control } = yield* gatewayFor(cwd)
    yield* control.addFault({ kind: "reject", documents: ["INV-0007", "INV-0011"] })
    yield* connector(importing, { cwd })
    assert.deepStrictEqual(yield* states(cwd), { Fiscalised: 44, Rejected: 2 })
    const health = yield* connector(["health", ...config], { cwd })
    const printed = commandsIn(health.out).find((command) => command.includes("--resend"))
    assert.match(printed!, /--state Rejected --cause/)
    const shown = yield* pastedWithReason(printed!, cwd)
    assert.include(shown.out, "2 documents would be decided about (Resend)", shown.err)
    const confirmed = commandsIn(shown.out).find((command) => command.includes("--confirm 2"))
    const done = yield* pasted(confirmed!, cwd)
    assert.include(done.out, "Rejected → Planned", done.err)
  })
})
