/**
 * Credit notes prepared here: what was fiscalized and no longer holds is credited once, by a
 * decision, and a note of the source beside one is never sent without an answer.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { BigDecimal, Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { commandsIn, pasted, pastedWithReason } from "./PrintedCommands.ts"
import { proveFirst } from "./LateProof.ts"
import { connector, connectorProcess, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const header =
  "InvoiceNumber,InvoiceDate,Status,Currency,AmountsAre,Kind,OriginalInvoice,Reason,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const row = (number: string, price: string, status = "issued") =>
  `${number},2026-02-03,${status},USD,inclusive,invoice,,,Lamp,1,${price},Standard,94052090`
const note = (number: string, original: string, price: string) =>
  `${number},2026-02-04,issued,USD,inclusive,credit note,${original},returned,Lamp,1,${price},Standard,94052090`

const period = ["--from", "2026-01-01", "--to", "2099-12-31"]
const books = ["--book", "historical-invoices.book.json"]
const started = Effect.gen(function* () {
  const cwd = yield* folderWith("historical-invoices.book.json")
  const gateway = yield* gatewayFor(cwd)
  const account = ["--config", "account.json"]
  const write = (...rows: ReadonlyArray<string>) =>
    writeFileSync(join(cwd, "sales.csv"), `${[header, ...rows].join("\n")}\n`)
  return {
    cwd,
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
    const { cwd, gateway, run, sales, write } = yield* started
    write(row("S-1", "10.00"), row("S-2", "20.00"), row("S-3", "30.00"))
    assert.strictEqual((yield* sales).code, 0)
    write(row("S-1", "8.00"), row("S-2", "20.00", "void"), row("S-3", "35.00"))
    assert.strictEqual((yield* sales).code, 2)

    const listed = yield* run("credit")
    assert.match(listed.out, /S-1 [^]*? changed\n *S-2 .* void\n *S-3 .* changed/)
    // the printed step is the credit, never a withdrawal that would be refused
    const explained = yield* run("explain", "S-2")
    assert.include(explained.out, "connector credit S-2")
    assert.notInclude(explained.out, "connector withdraw")

    // the printed steps of a voided and a changed document, as printed
    const step = (printed: string, part: string) => commandsIn(printed).find((line) => line.includes(part)) ?? part
    const shown = yield* pasted(step(explained.out, "connector credit S-2"), cwd)
    assert.strictEqual(shown.code, 0, shown.out + shown.err)
    assert.match(shown.out, /Fiscalised +17\.32 +2\.68 +20\.00/)
    assert.match(shown.out, /In the source now +0\.00 +0\.00 +0\.00 +void/)
    assert.match(shown.out, /To credit +17\.32 +2\.68 +20\.00 +all that is left: the lines of the invoice/)
    assert.include(shown.out, "The tax of S-2 falls by 2.68 to 0.00.")
    assert.include(shown.out, "Checked: 12 months are not over")
    assert.include(shown.out, "Nothing was sent.")

    const sent = yield* pastedWithReason(step(shown.out, "--because"), cwd)
    assert.strictEqual(sent.code, 0, sent.out + sent.err)
    assert.include(sent.out, "Credit note S-2-C1 on S-2, USD 20.00: Fiscalised")
    assert.match((yield* run("audit")).out, /credit +.*invoice S-2.*credit note S-2-C1, USD 20\.00/)
    const again = yield* run("credit", "S-2", "--because", "once more")
    assert.strictEqual(again.code, 2)
    assert.include(again.err, "nothing is left to credit")

    const less = yield* pasted(step((yield* run("explain", "S-1")).out, "connector credit S-1"), cwd)
    const lowered = yield* pastedWithReason(step(less.out, "--because"), cwd)
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
    assert.match(account.out, /credit notes prepared here +0 +0\.00 +2 +-22\.00 +-2\.95 +-22\.00/)
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

  it.live("prints the credit as the next step of a refused prepared note, and never an import", function* () {
    const { cwd, gateway, run, sales, write } = yield* started
    const numbers = ["S-1", "S-2", "S-3", "S-4"]
    write(...numbers.map((number) => row(number, "20.00")))
    yield* sales
    write(...numbers.map((number) => row(number, "20.00", "void")))
    yield* sales
    const declined = { kind: "error", status: 400, operations: ["submitCreditNote"] } as const
    const faults = ["RCPT034", "RCPT035", "RCPT032"].map(
      (error) => ({ kind: "reject", error: `${error}: no`, actionable: error !== "RCPT032" }) as const
    )
    for (const [n, fault] of [...faults, declined].entries()) {
      yield* gateway.control.addFault({ ...fault, times: 1 })
      assert.strictEqual((yield* run("credit", numbers[n]!, "--because", "void")).code, 2)
    }
    const { out } = yield* run("health")
    assert.notInclude(out, "import csv")
    assert.notInclude(out, "--resend")
    const resent = yield* run("resolve", "S-1-C1", "--resend", "--because", "as it was")
    assert.include(resent.err, "credit the invoice S-1 again")
    const next = (number: string, text: string) =>
      Effect.map(run("explain", number), (explained) => {
        const found = commandsIn(explained.out).find((line) => line.includes(text))
        assert.include(out, found ?? text)
        return found ?? text
      })
    // the gateway knows a credit that the store does not have
    const compared = yield* pasted(
      yield* next("S-2-C1", "connector reconcile --config account.json --from 2026-02-03"),
      cwd
    )
    assert.include(compared.out, "prepared here", compared.err)
    // the gateway does not know the invoice
    assert.include(out, "OUTCOME_CONFLICT: 1 document (S-3)")
    const contradicted = yield* pasted(yield* next("S-3-C1", "connector credit S-3"), cwd)
    assert.include(contradicted.out, "the conflict OUTCOME_CONFLICT about its receipts is open")
    yield* run("resolve", "S-3", "--acknowledged", "--because", "the portal shows it")
    for (const number of numbers.toSpliced(1, 1)) {
      const shown = yield* pasted(yield* next(`${number}-C1`, `connector credit ${number}`), cwd)
      const sent = yield* pastedWithReason(commandsIn(shown.out).at(-1)!, cwd)
      assert.include(sent.out, `Credit note ${number}-C1 on ${number}, USD 20.00: Fiscalised`, sent.err)
    }
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

  it.live("takes the last statement of the source, and ends each notice once the receipts agree", function* () {
    const { gateway, run, sales, write } = yield* started
    const states = (...rows: ReadonlyArray<string>) => {
      write(...rows)
      return sales
    }
    yield* gateway.control.addFault({ kind: "drop", stage: "after", operations: ["submitInvoice"], times: 1 })
    yield* states(row("S-1", "10.00"))
    yield* states(row("S-1", "8.00"))
    // the answer about the receipt leaves the statement open
    const [receipt] = yield* gateway.control.receipts
    yield* run("resolve", "S-1", "--accepted", receipt!.requestId, "--because", "as the portal shows")
    yield* run("resume")
    assert.include((yield* run("health")).out, "SOURCE_CONFLICT")
    yield* run("credit", "S-1", "--because", "a discount")
    yield* states(row("S-1", "10.00"))
    assert.strictEqual((yield* run("health")).code, 3)
    yield* states(row("S-1", "8.00"))
    assert.match((yield* run("credit", "S-1")).out, /In the source now +6\.93 +1\.07 +8\.00/)
    assert.strictEqual((yield* run("health")).code, 0)
    // all of it is credited by choice, and voided afterwards
    yield* states(row("S-1", "6.00"))
    yield* run("credit", "S-1", "--full", "--because", "issued as S-2")
    assert.strictEqual((yield* run("health")).code, 3)
    yield* states(row("S-1", "6.00", "void"))
    const health = yield* run("health")
    assert.strictEqual(health.code, 0, health.out)
    // what was equal then is not equal now
    for (const price of ["6.00", "8.00"]) {
      yield* states(row("S-1", price))
      assert.strictEqual((yield* run("health")).code, 3, price)
    }
  })

  it.live("keeps a notice open when an operator decides about the request, and not about the statement", function* () {
    const { gateway, run, sales, write } = yield* started
    const states = (...rows: ReadonlyArray<string>) => {
      write(...rows)
      return sales
    }
    const cases = [
      ["S-1", row("S-1", "8.00"), /In the source now +6\.93 +1\.07 +8\.00/],
      ["S-2", row("S-2", "10.00", "void"), /In the source now +0\.00 +0\.00 +0\.00/]
    ] as const
    for (const [number, now, shown] of cases) {
      yield* gateway.control.addFault({ kind: "drop", stage: "before", operations: ["submitInvoice"], times: 1 })
      yield* states(row(number, "10.00"))
      yield* states(now)
      const because = ["--because", "the portal does not show it"]
      yield* run("resolve", number, "--not-processed", "--although-recent", ...because)
      assert.include((yield* run("health")).out, number)
      // sent as it was, before the source is read again
      yield* run("resume")
      yield* states(now)
      assert.include((yield* run("health")).out, number)
      assert.match((yield* run("credit", number)).out, shown)
    }
    // what is revised to the statement has no notice
    yield* gateway.control.addFault({ kind: "drop", stage: "before", operations: ["submitInvoice"], times: 1 })
    yield* states(row("S-3", "10.00"))
    yield* states(row("S-3", "8.00"))
    yield* run("resolve", "S-3", "--not-processed", "--although-recent", "--because", "not in the portal")
    yield* states(row("S-3", "8.00"))
    assert.notInclude((yield* run("health")).out, "S-3")
    assert.match((yield* run("credit", "S-3")).out, /Fiscalised +6\.93 +1\.07 +8\.00/)
  })

  it.live("ends the notice of a changed text, whose figures agree with the receipt", function* () {
    const { run, sales, write } = yield* started
    write(row("S-1", "10.00"), row("S-2", "10.00"))
    yield* sales
    write(row("S-1", "10.00").replace("Lamp", "Desk lamp"), row("S-2", "10.00").replace("Lamp", "Desk lamp"))
    const imported = yield* sales
    assert.include((yield* run("explain", "S-1")).out, "states something else")
    const health = yield* run("health")
    assert.strictEqual(health.code, 0, health.out + imported.out)
    assert.include((yield* run("credit", "S-1")).out, "there is nothing to credit")
    write(row("S-2", "8.00"))
    yield* sales
    assert.include((yield* run("health")).out, "S-2")
  })

  it.live("holds a note that the source brings afterwards, until the operator says if it is the same", function* () {
    const { cwd, gateway, run, sales, write } = yield* started
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
    const asked = commandsIn(held.out).find((line) => line.includes("--same"))
    const same = yield* pastedWithReason(asked ?? "connector --same", cwd)
    assert.strictEqual(same.code, 0, same.out + same.err)
    write(note("CN-1", "S-1", "10.00"))
    const repeated = yield* sales
    assert.strictEqual(repeated.code, 0, repeated.out + repeated.err)
    write(row("S-1", "10.00"), row("S-2", "20.00"), note("CN-1", "S-1", "10.00"), note("CN-2", "S-2", "20.00"))
    yield* gateway.control.closeDay()
    const account = yield* run("reconcile", "sales.csv", ...books, ...period)
    assert.match(account.out, /represented by a credit note prepared here +0 +0.00 +1 +-10.00/)
    assert.notInclude(account.out, "SOURCE_CONFLICT", "CN-1 is in the source, and S-1-C1 is its receipt")
  })

  it.live("opens the notice of an older version again when the receipts no longer agree", function* () {
    const { cwd, run, sales, write } = yield* started
    write(row("S-1", "10.00"))
    yield* sales
    write(row("S-1", "8.00"))
    yield* sales
    const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
    database.exec("update fiscal_conflict set stated = null")
    database.close()
    yield* run("credit", "S-1", "--because", "a discount")
    assert.strictEqual((yield* run("health")).code, 0)
    assert.strictEqual((yield* run("credit", "S-1", "--full", "--because", "issued as S-2")).code, 0)
    const health = yield* run("health")
    assert.include(health.out, "SOURCE_CONFLICT: 1 document (S-1)")
  })

  it.live("asks about a refused note of the source that is sent again after a prepared one", function* () {
    const { gateway, run, sales, write } = yield* started
    const numbers = ["1", "2"]
    const both = (price: string) => numbers.map((n) => row(`S-${n}`, price))
    write(...both("20.00"))
    assert.strictEqual((yield* sales).code, 0)
    const documents = numbers.map((n) => `CN-${n}`)
    const rejection = { kind: "reject", error: "RCPT026: tax wrong", actionable: true, documents, times: 2 } as const
    yield* gateway.control.addFault(rejection)
    const notes = numbers.map((n) => note(`CN-${n}`, `S-${n}`, "5.00"))
    write(...notes)
    assert.strictEqual((yield* sales).code, 2)
    write(...both("12.00"))
    yield* sales
    for (const n of numbers) {
      const credited = yield* run("credit", `S-${n}`, "--because", "a discount")
      assert.include(credited.out, `S-${n}-C1 on S-${n}, USD 8.00: Fiscalised`, credited.err)
    }
    // the source corrects the one, an operator sends the other as it is
    write(notes[0]!.replace("returned", "a return"))
    yield* sales
    yield* run("resolve", "CN-2", "--resend", "--because", "the mapping is mended")
    yield* run("resume")
    for (const n of numbers) {
      const held = yield* run("explain", `CN-${n}`)
      assert.include(held.out, `its invoice has a credit note prepared here: S-${n}-C1`)
    }
    assert.strictEqual((yield* gateway.control.receipts).length, 4)
  })

  it.live("has a row for the cent of tax that a prepared note is off, and no difference", function* () {
    const { gateway, run, sales, write } = yield* started
    write(row("S-1", "20.00"))
    assert.strictEqual((yield* sales).code, 0)
    write(row("S-1", "11.00"))
    yield* sales
    const credited = yield* run("credit", "S-1", "--because", "a returned lamp")
    assert.strictEqual(credited.code, 0, credited.out + credited.err)
    yield* gateway.control.closeDay()
    const { code, out } = yield* run("reconcile", "sales.csv", ...books, ...period)
    assert.match(out, /- +stated otherwise now than fiscalised +1 +-9.00 +0 +0.00 +-1.21 +-9.00/)
    assert.match(out, /- +a cent of tax of credited invoices \(TAX_CENT\) +1 +0.00 +0 +0.00 +0.01 +0.00/)
    assert.include(out, "TAX_CENT: S-1 and its credit notes (S-1-C1) agree; the tax is off by a cent.")
    assert.strictEqual(code, 0, out)
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
    write(row("S-1", "20.00"), row("S-2", "20.00"))
    assert.strictEqual((yield* sales).code, 0)
    // the note is refused: its tax code is not in the book
    const lowered = [row("S-1", "15.00"), row("S-2", "15.00")]
    write(...lowered, note("CN-7", "S-1", "5.00").replace("Standard", "Unheard"))
    yield* sales
    assert.match((yield* run("credit", "S-2")).out, /To credit +4\.33 +0\.67 +5\.00/, "the note is on S-1")
    // refused because of its original: the invoice that it names may be the wrong one
    write(...lowered, note("CN-7", "S-1", "5.00").replace("Standard", "Unheard"), note("CN-8", "S-1", "25.00"))
    yield* sales
    const other = yield* run("credit", "S-2")
    assert.include(other.out, "credit note CN-8 of the source", other.err)
    write(...lowered, note("CN-7", "S-1", "5.00").replace("Standard", "Unheard"))
    yield* sales
    const shown = yield* run("credit", "S-1")
    assert.strictEqual(shown.code, 2, shown.out)
    assert.include(shown.out, "credit note CN-7 of the source")
    const whole = yield* run("credit", "S-1", "--full")
    assert.match(whole.out, /To credit +17\.32 +2\.68 +20\.00/, whole.out + whole.err)
  })

  it.live("says that credits of other programs on the device are not known", function* () {
    const { run, sales, write } = yield* started
    write(row("S-1", "20.00"))
    assert.strictEqual((yield* sales).code, 0)
    assert.notInclude((yield* run("credit", "S-1", "--full")).out, "Other programs")
    assert.strictEqual((yield* run("device", "others", "--because", "the till at the door")).code, 0)
    assert.include((yield* run("credit", "S-1", "--full")).out, "Other programs use the device")
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

  it.live("sends no note with a tax that its invoice was sent without", function* () {
    const { gateway, run, sales, write } = yield* started
    yield* gateway.control.addFault({ kind: "drop", stage: "before", operations: ["submitInvoice"], times: 1 })
    write(row("S-1", "20.00"), note("CN-1", "S-1", "5.00"))
    yield* sales
    yield* run("resolve", "S-1", "--not-processed", "--although-recent", "--because", "not in the portal")
    // the invoice is corrected before it is sent again, and the note waits for it
    write(row("S-1", "20.00").replace("Standard", "Zero"))
    yield* sales
    yield* run("resume")
    const receipts = yield* gateway.control.receipts
    assert.deepStrictEqual(
      receipts.map(({ documentNumber }) => documentNumber),
      ["S-1"]
    )
    assert.include((yield* run("explain", "CN-1")).out, "S-1 was sent without a tax of the note (RCPT036)")
  })

  it.live("withdraws documents that are void before they are sent, as the import prints it", function* () {
    const { cwd, run, sales, write } = yield* started
    write(row("S-9", "5.00").replace("02-03", "02-09"))
    yield* sales
    write(row("S-1", "20.00"), row("S-2", "20.00"))
    yield* sales
    write(row("S-1", "20.00", "void"), row("S-2", "20.00", "void"))
    const steps = commandsIn((yield* sales).out).filter((line) => line.includes("connector withdraw"))
    assert.strictEqual(steps.length, 2)
    for (const step of steps) assert.strictEqual((yield* pastedWithReason(step, cwd)).code, 0, step)
    const health = yield* run("health")
    assert.include(health.out, "No action needed", health.out)
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

  /** Makes S-1 with two receipts; the gateway states the first one only if `isProven`. */
  const doubled = (isProven: boolean) =>
    Effect.gen(function* () {
      const shop = yield* started
      const { cwd, gateway, run, sales, write } = shop
      yield* gateway.control.addFault({ kind: "drop", stage: "after", operations: ["submitInvoice"], times: 1 })
      write(row("S-1", "20.00"))
      yield* sales
      const because = ["--because", "the portal does not show it"]
      yield* run("resolve", "S-1", "--not-processed", "--although-recent", ...because)
      const resumed = yield* run("resume")
      assert.strictEqual(resumed.code, 0, resumed.out + resumed.err)
      const receipts = yield* gateway.control.receipts
      assert.strictEqual(receipts.length, 2)
      if (isProven) yield* proveFirst(cwd, "S-1", receipts[0]!)
      return shop
    })

  it.live("credits one of two receipts once, and nothing after it until the credited one is stated", function* () {
    const { cwd, gateway, run, sales, write } = yield* doubled(true)
    const [first, second] = (yield* gateway.control.receipts).map(({ qrData }) => String(qrData.InvoiceNumber))
    // every printed step works as printed, and leads to the next
    const conflict = yield* run("explain", "S-1")
    const look = commandsIn(conflict.out).find((line) => line.includes("connector credit S-1"))
    const several = yield* pasted(look!, cwd)
    assert.include(several.out, `it has 2 receipts (${first}, ${second})`)
    const account = yield* run("reconcile", "--from", "2026-01-01", "--to", "2099-12-31")
    const step = commandsIn(account.out).find((line) => line.includes("--receipt"))
    assert.include(commandsIn(several.out)[0], `--receipt ${second}`)
    assert.include(step, `connector credit S-1 --config account.json --account main --receipt ${second}`, account.out)
    const shown = yield* pasted(step!, cwd)
    assert.match(shown.out, /Fiscalised +17\.32 +2\.68 +20\.00 +receipt \d+, one of several/, shown.out + shown.err)
    assert.include(shown.out, "which of its receipts the gateway credits is not documented")
    const sending = commandsIn(shown.out).find((line) => line.includes("--because"))!
    const sent = yield* pastedWithReason(sending, cwd)
    assert.include(sent.out, "Credit note S-1-C1 on S-1, USD 20.00: Fiscalised", sent.err)
    assert.match((yield* run("audit")).out, new RegExp(`credit note S-1-C1, USD 20\\.00, for receipt ${second}`))
    // as many notes as surplus receipts: the conflict has ended
    assert.notInclude((yield* run("health")).out, "DOUBLE_FISCALISED")
    const settled = yield* run("reconcile", "--from", "2026-01-01", "--to", "2099-12-31")
    assert.match(settled.out, /DOUBLE_FISCALISED.*\n.*\n +It is settled in the store\./)
    for (const receipt of [first!, second!]) {
      const twice = yield* run("credit", "S-1", "--receipt", receipt, "--because", "again")
      assert.strictEqual(twice.code, 2, twice.out)
    }
    // a later note of the source is held, also after the question about the prepared one
    write(note("CN-1", "S-1", "5.00"))
    yield* sales
    yield* run("resolve", "CN-1", "--resend", "--because", "another credit")
    yield* run("resume")
    assert.include((yield* run("explain", "CN-1")).out, "S-1-C1 is meant for one of the receipts of S-1")
    const unstated = yield* run("credit", "S-1", "--full")
    assert.include(unstated.out, "the gateway may have credited another one")
    const stating = commandsIn(unstated.out).find((line) => line.includes("--credited"))!
    const wrong = yield* pastedWithReason(stating.replace(`--credited ${second}`, "--credited 999"), cwd)
    assert.include(wrong.err, `999 is not one of its receipts ${first}, ${second}`)
    const stated = yield* pastedWithReason(stating.replace(`--credited ${second}`, `--credited ${first}`), cwd)
    assert.strictEqual(stated.code, 0, stated.err)
    assert.include((yield* run("explain", "CN-1")).out, "CN-1: Planned")
    yield* run("resume")
    yield* run("resolve", "CN-1", "--resend", "--because", "with today's date")
    const later = yield* run("resume")
    assert.include((yield* run("explain", "CN-1")).out, "CN-1: Fiscalised", later.out + later.err)
    // the other receipt is an ordinary one now
    const rest = yield* run("credit", "S-1", "--full")
    assert.match(rest.out, /Credited +4\.33 +0\.67 +5\.00 +CN-1/, rest.out + rest.err)
    const ended = yield* run("credit", "S-1", "--full", "--because", "void")
    assert.include(ended.out, "Credit note S-1-C2 on S-1, USD 15.00: Fiscalised", ended.err)
    const sums = (yield* gateway.control.receipts).map(({ kind, total }) =>
      kind === "invoice" ? BigDecimal.toNumberUnsafe(total) : -BigDecimal.toNumberUnsafe(total)
    )
    assert.deepStrictEqual(sums, [20, 20, -20, -5, -15])
  })

  it.live("credits a receipt that only the portal shows by the operator's statement", function* () {
    const { cwd, gateway, run } = yield* doubled(false)
    const [first, second] = (yield* gateway.control.receipts).map(({ qrData }) => String(qrData.InvoiceNumber))
    const only = yield* run("credit", "S-1", "--receipt", second!)
    assert.include(only.out, `${second} is its only receipt`)
    const unknown = yield* run("credit", "S-1", "--receipt", first!, "--because", "seen twice")
    assert.strictEqual(unknown.code, 2)
    const [seen] = commandsIn(unknown.err)
    const shown = yield* pasted(seen!, cwd)
    assert.match(shown.out, /To credit +17\.32 +2\.68 +20\.00/, shown.out + shown.err)
    const sent = yield* pastedWithReason(
      commandsIn(shown.out).find((line) => line.includes("--because"))!,
      cwd
    )
    assert.include(sent.out, "S-1-C1 on S-1, USD 20.00: Fiscalised", sent.err)
    assert.include((yield* run("audit")).out, `for receipt ${first} seen in the portal`)
    const again = yield* run("credit", "S-1", "--receipt", "77", "--seen-in-portal", "--because", "one more")
    assert.include(again.err, "may have credited another one")
  })

  it.live("numbers notes by the account's rule, and refuses the numbers of the source that it can make", function* () {
    const { cwd, run, sales, write } = yield* started
    const file = join(cwd, "account.json")
    const { accounts } = JSON.parse(readFileSync(file, "utf8")) as { readonly accounts: { readonly main: object } }
    const ruled = (creditNumbers: string) =>
      writeFileSync(file, JSON.stringify({ accounts: { main: { ...accounts.main, creditNumbers } } }))
    ruled("{original}")
    assert.include((yield* run("credit", "S-1")).err, "expected {original} and {n}, each once")
    ruled("GS/{n}/{original}")
    // a rule that makes a number of the source is refused at its first use
    const long = "L".repeat(48)
    write(row("S-1", "20.00"), row("S-2", "20.00"), row(long, "3.00"), row("GN/7/S-2", "3.00"))
    assert.strictEqual((yield* sales).code, 0)
    ruled("GN/{n}/{original}")
    const first = yield* run("credit", "S-1", "--full", "--because", "void")
    assert.include(first.err, "the source has the number GN/7/S-2, which the rule for prepared notes can make for S-2")
    ruled("GS/{n}/{original}")
    const sent = yield* run("credit", "S-1", "--full", "--because", "void")
    assert.include(sent.out, "Credit note GS/1/S-1 on S-1, USD 20.00: Fiscalised", sent.err)
    write(note("GS/2/S-1", "S-1", "5.00"), row("GS/1/S-2", "3.00"), row("GS/1/S-9", "4.00"), row("GS/01/S-2", "4.00"))
    const refused = yield* sales
    assert.include(refused.out, "GS/2/S-1 is a number of the credit notes that are prepared here for S-1")
    const states = lines((yield* run("list", "--json")).out).map(({ number }) => number)
    assert.includeMembers(states, ["GS/1/S-9", "GS/01/S-2"])
    for (const number of ["GS/2/S-1", "GS/1/S-2"]) assert.notInclude(states, number)
    const tooLong = yield* run("credit", long, "--full")
    assert.include(tooLong.out, "is longer than 50 characters")
    assert.match(tooLong.out, /credit L+ .*--number/)
  })

  it.live("credits a document of before the upgrade only if its figures show what its codes meant", function* () {
    const { cwd, run, sales, write } = yield* started
    const zero = row("Z-1", "5.00").replace("Standard", "Zero")
    write(row("S-1", "20.00"), zero, row("S-5", "21.00").replace("Standard", "Reduced"))
    assert.strictEqual((yield* sales).code, 0)
    const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
    database.exec("update fiscal_payload set meaning = null")
    database.close()
    // no other tax of the device gives these figures
    const shown = yield* run("credit", "S-1", "--full")
    assert.match(shown.out, /To credit +17\.32 +2\.68 +20\.00/, shown.out + shown.err)
    // 0 % and exempt give the same
    const unclear = yield* run("credit", "Z-1", "--full")
    assert.include(unclear.out, "Z-1 was planned by an earlier version")
    // the gateway maps the code to another tax now
    const listed = (yield* run("gateway", "tax-mappings")).out
    const id = /^ *(\d+) .*VAT5\b/m.exec(listed)?.[1] ?? ""
    const changed = yield* run("gateway", "update-tax-mapping", id, "VAT5", "VAT 5 %", "515")
    assert.strictEqual(changed.code, 0, listed + changed.err)
    const other = yield* run("credit", "S-5", "--full", "--because", "void")
    assert.include(other.err, "the gateway maps VAT5 to something else now than on the receipt (RCPT036)", other.out)
    const sent = yield* run("credit", "S-1", "--full", "--because", "void")
    assert.include(sent.out, "S-1-C1 on S-1, USD 20.00: Fiscalised", sent.err)
  })

  it.live("names every reason why nothing is prepared, with a step that works as printed", function* () {
    const { cwd, gateway, run, sales, write } = yield* started
    const numbers = ["S-1", "S-2", "S-3", "S-5", "S-6", "S-7"]
    write(...numbers.map((number) => row(number, "20.00")), note("CN-1", "S-7", "1.00"))
    assert.strictEqual((yield* sales).code, 0)
    write(row("S-1", "15.00"), row("S-7", "25.00"))
    yield* sales
    yield* gateway.control.addFault({ kind: "drop", stage: "after", operations: ["submitInvoice"], times: 1 })
    write(row("S-4", "20.00"))
    yield* sales
    yield* run("resolve", "S-4", "--fiscalised", "--because", "the customer has the receipt")
    const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
    const seq = (number: string) => `(select seq from fiscal_submission where number = '${number}')`
    database.exec(`update fiscal_conflict set body = null where submission = ${seq("S-1")};
      insert into fiscal_conflict (submission, code, detail, at) values (${seq("S-2")}, 'SUCCESS_WITH_ERROR', 'red', 0);
      update fiscal_submission set receipt_text = '2025-02-03T08:00:00+02:00' where number = 'S-3';
      insert into fiscal_attempt (submission, revision, account, lane, receipt_text, receipt_at, repeats, fence, begun_at, possibly_processed,
          ruled_out, looks, written_by)
        select submission, revision, account, lane, receipt_text, receipt_at, 'retry', fence, begun_at, 1, 0, 0, written_by
        from fiscal_attempt where submission = ${seq("S-5")};
      update fiscal_payload set source = '{"file":"(forgotten)"}' where submission = ${seq("S-6")}`)
    database.close()
    const cases: ReadonlyArray<readonly [number: string, because: string, flags?: ReadonlyArray<string>]> = [
      ["S-1", "the new figures were not kept"],
      ["S-2", "the conflict SUCCESS_WITH_ERROR about its receipts is open", ["--full"]],
      ["S-3", "RCPT033", ["--full"]],
      ["S-4", "its receipt is known by an operator's word only", ["--full"]],
      ["S-5", "a request of it may have made another receipt", ["--full"]],
      ["S-6", "its texts were forgotten", ["--full"]],
      ["S-7", "a tax rose"],
      ["CN-1", "invoice"]
    ]
    for (const [number, because, flags = []] of cases) {
      const shown = yield* run("credit", number, ...flags)
      assert.notStrictEqual(shown.code, 0, number)
      assert.include(shown.out + shown.err, because, number)
      const [step] = commandsIn(shown.out)
      const done = step === undefined ? undefined : yield* pastedWithReason(step, cwd)
      if (done !== undefined) assert.notStrictEqual(done.code, 1, `${step}: ${done.out}${done.err}`)
    }
    // with its code, the receipt is the operator's statement
    assert.match((yield* run("credit", "S-4", "--full")).out, /To credit +17\.32 +2\.68 +20\.00/)
  })

  it.live("credits a receipt once, whatever commit its process is killed at", function* () {
    const { gateway, killed, run } = yield* doubled(true)
    const [, second] = (yield* gateway.control.receipts).map(({ qrData }) => String(qrData.InvoiceNumber))
    const credit = ["credit", "S-1", "--receipt", second!, "--because", "twice"]
    for (let commit = 1; commit <= 14; commit++) yield* killed(`COMMIT ${commit} after`, ...credit)
    yield* run("resume")
    const last = yield* run(...credit)
    const notes = (yield* gateway.control.receipts).filter(({ kind }) => kind === "credit-note")
    assert.deepStrictEqual(
      notes.map(({ documentNumber }) => documentNumber),
      ["S-1-C1"],
      last.out + last.err
    )
  })
})
