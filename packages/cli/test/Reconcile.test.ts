/** One account of a period: `connector reconcile`, with the commands that it prints. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Fiber } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { commandsIn, pasted, pastedWithReason } from "./PrintedCommands.ts"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"
import { syncing } from "./SyncedSource.ts"

const header =
  "Kind,InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,TaxCode,Status"
const row = (number: string, price: string, status = "Sent") =>
  `invoice,${number},2026-02-03,USD,exclusive,Kestrel Tools,Goods,1,${price},Standard,${status}`
const main = (second: string) =>
  [header, row("INV-1", "101.00"), row("INV-2", "102.00", second), row("INV-3", "103.00"), ""].join("\n")

/** The device's receipts are dated in the order in which the three programs send. */
const book = (opens: string, code: string) =>
  JSON.stringify({
    version: 1,
    zone: "+02:00",
    times: "spread",
    opens,
    taxes: [{ from: ["Standard"], code, name: "VAT", device: 515, percent: "15.5" }],
    currencies: [{ from: ["USD"], code: "USD", device: "USD" }],
    defaults: { payment: "Cash", productCode: "11022000", creditReason: "return", cashBuyer: "Cash sale {name}" }
  })

const period = ["--from", "2026-02-01", "--to", "2099-12-31"]
const of = ["--config", "account.json", "--account", "main"]

/**
 * Two accounts feed one device under different codes; a till that the store does not know makes two
 * receipts between them.
 */
const firm = Effect.gen(function* () {
  const cwd = yield* folderWith()
  const sandbox = yield* gatewayFor(cwd, {
    accounts: [{ key: "the-till" }, { key: "the-shop", taxMappings: [{ taxCode: "STD", destinationTaxId: 515 }] }]
  })
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text, { mode: 0o600 })
  const { accounts } = JSON.parse(readFileSync(join(cwd, "account.json"), "utf8"))
  write("till.key", "the-till")
  write("shop.key", "the-shop")
  write("account.json", JSON.stringify({ accounts: { ...accounts, shop: { ...accounts.main, keyFile: "shop.key" } } }))
  write(
    "till.json",
    JSON.stringify({ store: "till.db", accounts: { till: { ...accounts.main, keyFile: "till.key" } } })
  )
  write("main.csv", main("Sent"))
  write("later.csv", main("Void"))
  write("till.csv", [header, row("T-1", "11.00"), row("T-2", "12.00"), ""].join("\n"))
  write("shop.csv", [header, row("SH-1", "51.00"), ""].join("\n"))
  write("main.book.json", book("08:00", "VAT155"))
  write("till.book.json", book("12:00", "VAT155"))
  write("shop.book.json", book("16:00", "STD"))
  const run = (...args: ReadonlyArray<string>) =>
    connector(args, { cwd, env: { FISCAL_CONNECTOR_SHOP_API_KEY: undefined } })
  const sent = (file: string, ...flags: ReadonlyArray<string>) =>
    Effect.tap(run("import", `${file}.csv`, ...flags), ({ code, err, out }) =>
      Effect.sync(() => assert.strictEqual(code, 0, err + out))
    )
  yield* sent("main", ...of)
  yield* sent("till", "--config", "till.json")
  yield* sent("shop", "--config", "account.json", "--account", "shop")
  return { cwd, run, sandbox }
})

/** Returns the arguments of the printed command that begins so, with a reason of the operator. */
const printed = (out: string, begins: string): ReadonlyArray<string> => {
  const line = out.split("\n").find((line) => line.trim().startsWith(`connector ${begins}`)) ?? ""
  return line
    .trim()
    .replace(/'<[^>]*>'/, "looked-up")
    .split(" ")
    .slice(1)
}

const listed = (found: Record<string, unknown>) =>
  (found["differences"] as ReadonlyArray<Record<string, unknown>>).map(({ acknowledged, amount, code, grade }) => [
    code,
    grade,
    amount,
    acknowledged
  ])

const deviceOf = (found: Record<string, unknown>) => (found["chains"] as ReadonlyArray<{ device: object }>)[0]?.device

// slow: three programs send through one gateway, and each command is run as printed
describe("connector reconcile", () => {
  it.live(
    "compares a device of two accounts and a till, until the printed commands have named all receipts",
    function* () {
      const { cwd, run, sandbox } = yield* firm
      const early = yield* run("reconcile", ...period, ...of)
      assert.include(early.out, "no fiscal day was closed in the period")
      assert.include(early.out, "INV-1  2026-02-03  USD 116.66  in day 1, which is open")
      assert.strictEqual(early.code, 3, early.err)
      yield* sandbox.control.closeDay()

      const json = yield* run("reconcile", ...period, ...of, "--json")
      const [found] = lines(json.out)
      assert.strictEqual(json.code, 2, json.err)
      assert.deepStrictEqual(listed(found!), [["RECEIPT_NOT_OURS", "unexplained", 26.57, null]])
      assert.deepStrictEqual(deviceOf(found!), { reports: 438.92, notCompared: 0, others: 0, left: 26.57 })

      const text = yield* run("reconcile", ...period, ...of)
      assert.include(text.out, "Receipt numbers 4 to 5 are missing between INV-3 (3, ")
      assert.include(text.out, "1 difference, USD 26.57\nunexplained  RECEIPT_NOT_OURS, USD 26.57\n")
      assert.strictEqual((yield* run(...printed(text.out, "device others"))).code, 0)

      const declared = yield* run("reconcile", ...period, ...of, "--report", "r.html")
      // the page of each receipt is linked, and not fetched
      assert.lengthOf(readFileSync(join(cwd, "r.html"), "utf8").match(/<td><a href="https:\/\/[^"]+">/g) ?? [], 4)
      assert.include(declared.out, "agrees: 4 receipts, 3 of 3 legs; not compared: 0")
      assert.include(declared.out, "receipts of other programs")
      assert.strictEqual(declared.code, 0, declared.err)
    }
  )

  it.live(
    "counts the receipts between its own in doctor, and names them in health once the device is stated to be this store's alone",
    function* () {
      const { run } = yield* firm
      const doctor = Effect.map(run("doctor", ...of), ({ out }) => /(\S+) +other programs +(.*)/.exec(out)?.slice(1))
      const missing = "receipt numbers of the last 31 days that this store does not have: 2"
      assert.deepStrictEqual(yield* doctor, ["?", `not stated if another till or program uses this device; ${missing}`])
      assert.notInclude((yield* run("health")).out, "RECEIPT_NOT_OURS")
      assert.strictEqual(
        (yield* run("device", "alone", "--config", "account.json", "--because", "no other till")).code,
        0
      )
      assert.match((yield* doctor)!.join(" "), /^ok only this store uses this device, stated on 2\d+-\S+; .*: 2$/)
      const worker = yield* Effect.forkChild(run("work", "--config", "account.json"))
      const health = yield* Effect.repeat(Effect.delay(run("health"), "500 millis"), {
        until: ({ out }) => out.includes("RECEIPT_NOT_OURS"),
        times: 60
      })
      yield* Fiber.interrupt(worker)
      assert.match(health.out, /numbers 4 to 5 are missing between INV-3/)
      assert.strictEqual(health.code, 3)
    }
  )

  it.live(
    "finds a receipt of a document that the source voids, and keeps it in view when it is acknowledged",
    function* () {
      const { cwd, run, sandbox } = yield* firm
      yield* sandbox.control.closeDay()
      assert.strictEqual((yield* run("device", "others", ...of, "--because", "the till")).code, 0)
      const files = ["later.csv", "--book", "main.book.json"]
      const found = yield* run("reconcile", ...files, ...period, ...of)
      assert.include(found.out, "proven       SOURCE_CANCELLED, USD 117.81")
      assert.match(found.out, /stated otherwise now than fiscalised +1 +-117.81/)
      assert.include(found.out, "1: documents of the account shop, which has a separate export")
      assert.strictEqual(found.code, 2, found.err)

      const acknowledged = yield* run(...printed(found.out, "reconcile acknowledge"))
      assert.strictEqual(acknowledged.code, 0, acknowledged.err)
      const again = yield* run("reconcile", ...files, ...period, ...of, "--json", "--report", "r.csv", "--as", "Ada")
      const [after] = lines(again.out)
      assert.strictEqual(listed(after!)[0]?.[0], "SOURCE_CANCELLED")
      assert.isString(listed(after!)[0]?.[3])
      assert.strictEqual(again.code, 3)
      assert.include(
        readFileSync(join(cwd, "r.csv"), "utf8"),
        '"INV-2","2026-02-03","Cash sale Kestrel Tools","invoice"'
      )

      const changed = yield* run("reconcile", "main.csv", ...period, ...of)
      assert.match(changed.out, /The period was reported on [\d-]+ by Ada: .*issued 294.54.* Now: .*issued 412.35/)
      assert.strictEqual(changed.code, 3)

      // the end of a session states what it changes in a reported period
      const said = "The period 2026-02-01 to 2099-12-31 was reported on"
      const same = yield* run("import", "main.csv", ...of)
      assert.notInclude(same.err, said, same.out)
      writeFileSync(join(cwd, "new.csv"), [header, row("INV-9", "109.00"), ""].join("\n"))
      const added = yield* run("import", "new.csv", "--book", "main.book.json", ...of)
      assert.include(added.err, said)
      assert.include(added.err, "by Ada; this changes its carried list by USD 125.90 (INV-9).", added.out)
      const voided = yield* run("import", "later.csv", "--book", "main.book.json", ...of)
      assert.include(voided.err, "by Ada; this changes what the source states of INV-2.", voided.out)
      const credited = yield* run("credit", "INV-2", ...of, "--because", "void in the books")
      assert.include(credited.err, "this changes its carried list by USD -117.81 (INV-2-C1).", credited.out)
      assert.notInclude((yield* run("resume", "--config", "account.json")).err, said)
    }
  )

  it.live("names documents that only the source or only the store has, and refuses an impossible period", function* () {
    const { cwd, run, sandbox } = yield* firm
    yield* sandbox.control.closeDay()
    yield* run("device", "others", ...of, "--because", "the till")
    // the total of INV-8 is not the sum of its line
    const rows = [
      `${row("INV-1", "101.00")},116.66`,
      `${row("INV-9", "109.00")},125.90`,
      `${row("INV-8", "10.00")},99.00`
    ]
    writeFileSync(join(cwd, "part.csv"), [`${header},Total`, ...rows, ""].join("\n"))
    const whole = ["reconcile", "part.csv", "--book", "main.book.json", ...period, ...of]
    const { code, out } = yield* run(...whole, "--report", "r.html")
    assert.include(out, "INV-9 of 2026-02-03, USD 125.90, is in part.csv and nowhere here")
    assert.include(out, "INV-8 of 2026-02-03, USD 11.55, is in part.csv and is refused here")
    assert.include(
      out,
      "2 documents of main.csv dated in the period, with receipts of USD 236.78: not in part.csv: INV-2, INV-3."
    )
    assert.include(out, "carried out")
    assert.strictEqual(code, 2)
    // a reader of the report alone knows the sign of an amount, and what to do
    const report = readFileSync(join(cwd, "r.html"), "utf8")
    assert.match(report, /USD -125.90<\/td>/)
    assert.match(report, /Next: <code>connector import part.csv --book main.book.json [^<]+<\/code>/)
    // each printed step, executed as printed
    assert.include((yield* run(...printed(out, "imports"))).out, "main.csv")
    const imported = yield* run(...printed(out, "import part.csv"))
    assert.include(imported.out + imported.err, "INV-9", "its day was closed meanwhile: it waits for an operator")
    const after = yield* run(...whole)
    assert.notInclude(after.out, "nowhere here")
    assert.match(after.out, /INV-9 +2026-02-03 +USD 125.90 +open: Held/)
    const backwards = yield* run("reconcile", "--from", "2026-03-01", "--to", "2026-02-01", ...of)
    assert.include(backwards.err, "the period begins on 2026-03-01, after its end on 2026-02-01")
    const future = yield* run("reconcile", "--from", "2090-03-01", "--to", "2090-04-01", ...of)
    assert.include(future.err, "which is in the future")
    assert.deepStrictEqual([backwards.code, future.code], [1, 1])
    const unknown = yield* run("reconcile", "acknowledge", "INV-2", ...of, "--because", "looked up")
    assert.include(unknown.err, "INV-2 is not the id of a difference")
  })

  const openOf = (out: string, name: string) =>
    out
      .split(/\n(?=(?:proven|fits|possible|unexplained) )/)
      .find((part) => new RegExp(`^\\w+ +${name}\\b`).test(part) && part.includes("reconcile acknowledge"))

  it.live(
    "names an export that is not given, and then two systems with the same sales until they are credited",
    function* () {
      const cwd = yield* folderWith()
      const { control } = yield* gatewayFor(cwd, {})
      const run = (...args: ReadonlyArray<string>) => connector([...args, ...of], { cwd })
      writeFileSync(join(cwd, "main.book.json"), book("08:00", "VAT155"))
      for (const [file, name] of [
        ["main.csv", "A"],
        ["other.csv", "B"]
      ] as const) {
        const sales = ["North Ltd", "South Ltd", "North Ltd"].map((buyer, n) =>
          row(`${name}-${n + 1}`, `${11 + n}.00`).replace("Kestrel Tools", buyer)
        )
        writeFileSync(join(cwd, file), [header, ...sales, ""].join("\n"))
        assert.strictEqual((yield* run("import", file, "--book", "main.book.json")).code, 0)
      }
      yield* control.closeDay()
      const part = yield* run("reconcile", "main.csv", ...period)
      assert.include(part.out, "not in main.csv: B-1, B-2, B-3.")
      assert.include((yield* pasted(commandsIn(openOf(part.out, "NOT_IN_SOURCE")!)[0]!, cwd)).out, "other.csv")
      const whole = yield* run("reconcile", "main.csv", "other.csv", ...period)
      assert.notInclude(whole.out, "NOT_IN_SOURCE")
      const looked = yield* pasted(commandsIn(openOf(whole.out, "SALES_IN_TWO_SYSTEMS")!)[0]!, cwd)
      const decided = commandsIn(looked.out).find((line) => line.includes("--because"))
      assert.isDefined(decided, looked.out)
      assert.strictEqual((yield* pastedWithReason(decided!, cwd)).code, 0)
      const after = yield* run("reconcile", "main.csv", "other.csv", ...period)
      assert.notInclude(after.out, "SALES_IN_TWO_SYSTEMS")
      assert.match(after.out, /B-1-C1 .*in day 2, which is open/)
    }
  )

  /** Statements of the gateway, or of another store, that no fault of the sandbox makes. */
  const contradictions = [
    "OTHER_DEVICE",
    "SUCCESS_WITH_ERROR",
    "SUCCESS_AND_FAILURE",
    "CODE_NOT_UNIQUE",
    "RECEIPT_NOT_UNIQUE",
    "ALSO_ELSEWHERE"
  ]

  it.live("leads from each name to its end by the steps that it prints", function* () {
    const cwd = yield* folderWith()
    const { control } = yield* gatewayFor(cwd, {})
    const write = (...rows: ReadonlyArray<string>) =>
      writeFileSync(
        join(cwd, "main.csv"),
        [header, row("INV-1", "101.00"), ...rows, ""].join("\n").replaceAll("Kestrel Tools", "")
      )
    writeFileSync(join(cwd, "main.book.json"), book("08:00", "VAT155"))
    const others = [row("INV-4", "104.00"), row("INV-5", "105.00"), row("INV-0", "106.00")]
    yield* control.addFault({ kind: "proof-repeated", documents: ["INV-4"] })
    yield* control.addFault({ kind: "proof-missing", documents: ["INV-0"], millis: 600_000_000 })
    yield* control.addFault({
      kind: "drop",
      stage: "after",
      documents: ["INV-5"],
      operations: ["submitInvoice"],
      times: 1
    })
    write(row("INV-2", "102.00"), row("INV-3", "103.00"), ...others)
    yield* connector(["import", "main.csv", ...of], { cwd })
    yield* control.closeDay()
    write(row("INV-2", "102.00", "Void"), row("INV-3", "93.00"), ...others)
    const account = connector(["reconcile", "main.csv", ...period, ...of], { cwd })
    const ends = {
      DAY_DIFFERS: "--fiscalised",
      PROOF_MISSING: "--acknowledged",
      PROOF_SHARED: "--acknowledged",
      SOURCE_CANCELLED: "credit",
      SOURCE_CONFLICT: "credit"
    }
    for (const [name, end] of Object.entries(ends)) {
      let found = yield* account
      assert.isDefined(openOf(found.out, name), `${name}: ${found.out}${found.err}`)
      for (let turn = 0; turn < 3 && openOf(found.out, name) !== undefined; turn++) {
        const looked = yield* pasted(commandsIn(openOf(found.out, name)!)[0]!, cwd)
        const decided = commandsIn(looked.out).find((line) => line.includes(end) && line.includes("--because"))
        if (decided !== undefined) assert.strictEqual((yield* pastedWithReason(decided, cwd)).code, 0, decided)
        found = yield* account
      }
      assert.isUndefined(openOf(found.out, name), found.out)
    }
    const store = new DatabaseSync(join(cwd, "fiscal-connector.db"))
    for (const name of contradictions) {
      store
        .prepare(
          "insert into fiscal_conflict (submission, code, detail, at) select seq, ?, 'x', 0 from fiscal_submission where id = 'INV-1'"
        )
        .run(name)
      const looked = yield* pasted(commandsIn(openOf((yield* account).out, name)!)[0]!, cwd)
      const decided = commandsIn(looked.out).find((line) => /--(acknowledged|fiscalised) .*--because/.test(line))
      assert.isDefined(decided, `${name}: ${looked.out}`)
      assert.strictEqual((yield* pastedWithReason(decided!, cwd)).code, 0, `${name}: ${looked.out}`)
      assert.isUndefined(openOf((yield* account).out, name), name)
    }
    store.close()
    const last = yield* account
    assert.include(last.out, "It is settled in the store.")
    assert.include(last.out, "1: only an operator stated it (INV-5)")
    assert.match(last.out, /INV-2-C1 .*open/)
    assert.strictEqual(last.code, 3, last.err)
  })

  it.live(
    "compares a live source as it is now, and takes what it does not answer for neither as gone nor as equal",
    function* () {
      const { folder, run, sandbox, sync, world } = yield* syncing()
      yield* sync
      yield* sync
      yield* sandbox.control.closeDay()
      const reconcile = (...flags: ReadonlyArray<string>) =>
        run("reconcile", "--source", "books", "--from", "2026-01-01", "--to", "2099-12-31", ...flags)
      const state = () =>
        new DatabaseSync(join(folder, "fiscal-connector.db")).prepare("select * from fiscal_source_mark").all()
      const marks = state()
      const agreed = yield* reconcile()
      assert.include(agreed.out, "4 of 4 legs; not compared: 0", agreed.err)
      assert.strictEqual(agreed.code, 0)

      const [voided, edited] = [...world.tenant().lists.Invoices.values()]
        .filter(({ fields }) => fields["Type"] === "ACCREC" && fields["Status"] === "PAID")
        .map(({ fields }) => fields)
      world.put("Invoices", { InvoiceID: voided!["InvoiceID"], Status: "VOIDED" })
      const found = yield* reconcile()
      assert.match(found.out, new RegExp(`SOURCE_CANCELLED.*\n.*${String(voided!["InvoiceNumber"])}`))
      assert.strictEqual(found.code, 2)
      assert.deepStrictEqual(state(), marks, "no mark moves")
      assert.notInclude((yield* run("health")).out, "SOURCE_CANCELLED", "nothing is recorded")
      world.put("Invoices", { InvoiceID: edited!["InvoiceID"], InvoiceNumber: "INV-9999" })
      const shares = (yield* reconcile("--json")).out
      assert.notInclude(shares, '"device":null', "a changed document has its taxes by book and gateway")

      world.addFault({ kind: "empty", about: "/Invoices" })
      const silent = yield* reconcile()
      assert.match(silent.out, /source ↔ store +not possible +books, Invoices by id: the answer is not about/)
      assert.notInclude(silent.out, "NOT_IN_SOURCE")
      world.clearFaults()

      world.addFault({ kind: "status", status: 503 })
      const stopped = yield* reconcile()
      assert.match(stopped.out, /source ↔ store +not possible/)
      const other = yield* reconcile("--account", "other")
      assert.include(other.err, "the source books is of the account main")
      assert.strictEqual(other.code, 1)
    }
  )
})
