/**
 * Credit notes prepared here: what was fiscalised and no longer holds is credited once, by a
 * decision, and a note of the source beside one is never sent without an answer.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, connectorProcess, folderWith, gatewayFor } from "./RunningConnector.ts"

const header =
  "InvoiceNumber,InvoiceDate,Status,Currency,AmountsAre,Kind,OriginalInvoice,Reason,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const row = (number: string, price: string, status = "issued") =>
  `${number},2026-02-03,${status},USD,inclusive,invoice,,,Lamp,1,${price},Standard,94052090`
const note = (number: string, original: string, price: string) =>
  `${number},2026-02-04,issued,USD,inclusive,credit note,${original},returned,Lamp,1,${price},Standard,94052090`

const started = Effect.gen(function* () {
  const cwd = yield* folderWith("historical-invoices.book.json")
  const gateway = yield* gatewayFor(cwd)
  const account = ["--config", "account.json"]
  const write = (...rows: ReadonlyArray<string>) =>
    writeFileSync(join(cwd, "sales.csv"), `${[header, ...rows].join("\n")}\n`)
  return {
    gateway,
    write,
    sales: connector(["import", "sales.csv", ...account, "--book", "historical-invoices.book.json"], { cwd }),
    run: (...args: ReadonlyArray<string>) => connector([...args, ...account], { cwd }),
    killed: (at: string, ...args: ReadonlyArray<string>) =>
      connectorProcess([...args, ...account], {
        cwd,
        env: { KILLED_AT: at, NODE_OPTIONS: `--import=${join(import.meta.dirname, "KilledAt.ts")}` }
      })
  }
})

describe("connector credit", () => {
  it.live("credits a voided invoice once, with the figures that were sent", function* () {
    const { gateway, run, sales, write } = yield* started
    write(row("S-1", "10.00"), row("S-2", "20.00"), row("S-3", "30.00"))
    assert.strictEqual((yield* sales).code, 0)
    write(row("S-1", "8.00"), row("S-2", "20.00", "void"), row("S-3", "35.00"))
    assert.strictEqual((yield* sales).code, 2)

    const listed = yield* run("credit")
    for (const number of ["S-1", "S-2", "S-3"]) assert.include(listed.out, number)
    // the printed step is the credit, never a withdrawal that would be refused
    const explained = yield* run("explain", "S-2")
    assert.include(explained.out, "connector credit S-2")
    assert.notInclude(explained.out, "connector withdraw")

    const shown = yield* run("credit", "S-2")
    assert.strictEqual(shown.code, 0, shown.out + shown.err)
    assert.match(shown.out, /Fiscalised +17\.32 +2\.68 +20\.00/)
    assert.match(shown.out, /In the source now +0\.00 +0\.00 +0\.00 +void/)
    assert.match(shown.out, /To credit +17\.32 +2\.68 +20\.00 +all that is left: the lines of the invoice/)
    assert.include(shown.out, "Nothing was sent.")

    const sent = yield* run("credit", "S-2", "--because", "the customer sent it back")
    assert.strictEqual(sent.code, 0, sent.out + sent.err)
    assert.include(sent.out, "Credit note S-2-C1 on S-2, USD 20.00: Fiscalised")
    assert.match((yield* run("audit")).out, /credit +.*invoice S-2.*credit note S-2-C1, USD 20\.00/)
    const again = yield* run("credit", "S-2", "--because", "once more")
    assert.strictEqual(again.code, 2)
    assert.include(again.err, "nothing is left to credit")

    const lowered = yield* run("credit", "S-1", "--because", "a discount was agreed")
    assert.include(lowered.out, "Credit note S-1-C1 on S-1, USD 2.00: Fiscalised")
    const raised = yield* run("credit", "S-3")
    assert.strictEqual(raised.code, 2)
    assert.include(raised.out, "a tax rose")

    // the notices of what is credited have ended, and the other is open
    const health = yield* run("health")
    assert.include(health.out, "S-3")
    for (const number of ["S-1", "S-2"]) assert.notInclude(health.out, number)
    // what was credited is not a difference any more, and the notes have a row of their own
    const account = yield* run("reconcile", "--from", "2026-01-01", "--to", "2099-12-31")
    assert.match(account.out, /credit notes prepared here +0 +0\.00 +2 +22\.00 +-2\.95 +-22\.00/)
    assert.notInclude(account.out, "NOT_IN_SOURCE")
    // against the file, each invoice with its note is as the source states it now
    yield* gateway.control.closeDay()
    const files = ["reconcile", "sales.csv", "--book", "historical-invoices.book.json"]
    const family = yield* run(...files, "--from", "2026-01-01", "--to", "2099-12-31")
    assert.match(family.out, /SOURCE_CONFLICT.*\n +S-3: /, family.out)
    for (const number of ["S-1", "S-2"])
      assert.notMatch(family.out, new RegExp(`\\n +${number}: the source`), family.out)
    assert.include(family.out, "1 difference,", family.out)
    // the source states it in full again: the note has no cause any more
    write(row("S-1", "8.00"), row("S-2", "20.00"), row("S-3", "35.00"))
    const restored = yield* run(...files, "--from", "2026-01-01", "--to", "2099-12-31")
    assert.include(restored.out, "S-2-C1, prepared here, credits USD 20.00 of S-2", restored.out)
    write(row("S-1", "8.00"), row("S-2", "20.00", "void"), row("S-3", "35.00"))
    // the same file again says the same again, and sends nothing
    const repeated = yield* sales
    assert.notInclude(repeated.out, "CANCELLED_AFTER_SENDING")
  })

  it.live("reports a credited invoice that the source states as issued again", function* () {
    const { run, sales, write } = yield* started
    write(row("S-1", "10.00"))
    assert.strictEqual((yield* sales).code, 0)
    write(row("S-1", "10.00", "void"))
    yield* sales
    assert.strictEqual((yield* run("credit", "S-1", "--because", "void")).code, 0)
    assert.strictEqual((yield* run("health")).code, 0)
    write(row("S-1", "10.00"))
    yield* sales
    const health = yield* run("health")
    assert.strictEqual(health.code, 3, health.out)
    assert.include(health.out, "S-1")
    assert.include((yield* run("explain", "S-1")).out, "issue it under a new number")
    const account = yield* run("reconcile", "--from", "2026-01-01", "--to", "2099-12-31")
    assert.strictEqual(account.code, 2, account.out)
    // an operator ends it, and the same file does not open it again
    assert.strictEqual((yield* run("resolve", "S-1", "--acknowledged", "--because", "issued as S-9")).code, 0)
    yield* sales
    assert.strictEqual((yield* run("health")).code, 0)
  })

  it.live("holds a note that the source brings afterwards, until the operator says if it is the same", function* () {
    const { run, sales, write } = yield* started
    write(row("S-1", "10.00"), row("S-2", "20.00"))
    assert.strictEqual((yield* sales).code, 0)
    write(row("S-1", "10.00", "void"), row("S-2", "20.00", "void"))
    assert.strictEqual((yield* sales).code, 2)
    assert.strictEqual((yield* run("credit", "S-1", "--because", "void")).code, 0)
    write(note("CN-1", "S-1", "10.00"), note("CN-2", "S-2", "20.00"))
    const brought = yield* sales
    const held = yield* run("explain", "CN-1")
    assert.include(
      held.out,
      "its invoice has a credit note prepared here: S-1-C1",
      brought.out + brought.err + held.err
    )
    const other = yield* run("explain", "CN-2")
    assert.notInclude(other.out, "prepared here")
    assert.include((yield* run("credit", "S-2")).out, "Nothing is left to credit.")
    const same = yield* run("resolve", "CN-1", "--same", "--because", "the books wrote it later")
    assert.strictEqual(same.code, 0, same.out + same.err)
    write(note("CN-1", "S-1", "10.00"))
    const repeated = yield* sales
    assert.strictEqual(repeated.code, 0, repeated.out + repeated.err)
  })

  it.live("does not credit again what a reissued note has credited", function* () {
    const { gateway, run, sales, write } = yield* started
    write(row("S-1", "20.00"), row("S-2", "20.00"))
    assert.strictEqual((yield* sales).code, 0)
    yield* gateway.control.addFault({
      kind: "reject",
      error: "RCPT026: tax wrong",
      actionable: false,
      documents: ["CN-1"]
    })
    write(note("CN-1", "S-1", "5.00"), note("CN-2", "S-2", "5.00"))
    assert.strictEqual((yield* sales).code, 2)
    // the rejected note comes under a new number, the other in another spelling
    write(note("CR-1", "S-1", "5.00"), note("CN-02", "S-2", "5.00"))
    yield* sales
    assert.strictEqual((yield* run("resolve", "CN-02", "--same", "--because", "a spelling")).code, 0)
    for (const number of ["S-1", "S-2"]) {
      const shown = yield* run("credit", number)
      assert.match(shown.out, /In the source now +12\.99 +2\.01 +15\.00/, number)
      assert.include(shown.out, "there is nothing to credit", number)
    }
  })

  it.live("credits again after a refusal under the same number, and records only what was planned", function* () {
    const { gateway, run, sales, write } = yield* started
    write(row("S-1", "20.00"), row("S-2", "30.00"))
    assert.strictEqual((yield* sales).code, 0)
    yield* gateway.control.addFault({
      kind: "reject",
      error: "RCPT026: tax wrong",
      actionable: false,
      documents: ["S-1-C1"],
      times: 1
    })
    const credit = ["credit", "S-1", "--full", "--because", "void"]
    const rejected = yield* run(...credit)
    assert.strictEqual(rejected.code, 2, rejected.out + rejected.err)
    assert.include(rejected.out, "S-1-C1 on S-1, USD 20.00: Rejected")
    // the same reason, so that the note is the same to the letter
    const again = yield* run(...credit)
    assert.strictEqual(again.code, 0, again.out + again.err)
    assert.include(again.out, "Credit note S-1-C1 on S-1, USD 20.00: Fiscalised")
    const taken = yield* run("credit", "S-2", "--full", "--because", "void", "--number", "S-1")
    assert.strictEqual(taken.code, 2, taken.out)
    assert.include(taken.err, "belongs to another document")
    const { out } = yield* run("audit")
    assert.strictEqual(out.match(/credit note S-1-C1/g)?.length, 2, out)
    assert.notInclude(out, "invoice S-2")
  })

  it.live("names a number that differs only in its spelling from another document's", function* () {
    const { run, sales, write } = yield* started
    write(row("V-1", "20.00"))
    assert.strictEqual((yield* sales).code, 0)
    for (const number of ["v-1", "V 01"]) {
      const refused = yield* run("credit", "V-1", "--full", "--because", "void", "--number", number)
      assert.strictEqual(refused.code, 2, refused.out + refused.err)
      assert.include(refused.err, `${number} differs only in its spelling from V-1`)
    }
  })

  it.live("shows no figures of receipts for an invoice that has none", function* () {
    const { gateway, run, sales, write } = yield* started
    yield* gateway.control.addFault({ kind: "reject", error: "RCPT026: tax wrong", documents: ["S-1"] })
    write(row("S-1", "20.00"))
    yield* sales
    const shown = yield* run("credit", "S-1")
    assert.strictEqual(shown.code, 2)
    assert.include(shown.out, "has no receipt that could be credited")
    assert.notInclude(shown.out, "17.32")
  })

  it.live("prepares no difference while a note of the source may be on the invoice", function* () {
    const { run, sales, write } = yield* started
    write(row("S-1", "20.00"))
    assert.strictEqual((yield* sales).code, 0)
    // the note is refused: its tax code is not in the book
    write(row("S-1", "15.00"), note("CN-7", "S-1", "5.00").replace("Standard", "Unheard"))
    yield* sales
    const shown = yield* run("credit", "S-1")
    assert.strictEqual(shown.code, 2, shown.out)
    assert.include(shown.out, "credit note CN-7 of the source")
    const whole = yield* run("credit", "S-1", "--full")
    assert.match(whole.out, /To credit +17\.32 +2\.68 +20\.00/, whole.out + whole.err)
  })

  it.live("prints the step that continues a note whose process was killed", function* () {
    const { run, killed, sales, write } = yield* started
    write(row("S-1", "20.00"))
    assert.strictEqual((yield* sales).code, 0)
    let shown = ""
    for (let commit = 1; commit < 20 && !shown.includes("S-1-C1 is"); commit++) {
      yield* killed(`COMMIT ${commit} after`, "credit", "S-1", "--full", "--because", "void")
      shown = (yield* run("credit", "S-1", "--full")).out
    }
    assert.include(shown, "S-1-C1 is Planned")
    assert.include(shown, "connector resume")
    assert.strictEqual((yield* run("resume")).code, 0)
    assert.include((yield* run("credit", "S-1", "--full")).out, "Nothing is left to credit.")
  })

  it.live("sends no number with invisible characters", function* () {
    const { run, sales, write } = yield* started
    write(row("S-1", "20.00"))
    assert.strictEqual((yield* sales).code, 0)
    for (const number of ["a\nb\u001B[31m", " C-1 ", "C\u200B1"]) {
      const refused = yield* run("credit", "S-1", "--full", "--because", "void", "--number", number)
      assert.strictEqual(refused.code, 2, refused.out + refused.err)
      assert.include(refused.err, "not seen")
    }
  })
})
