/**
 * Proves that every printed command can be pasted: the commands for a shop's problems and for every
 * code, in a folder whose name needs quotes. Placeholders (NUMBER, FILE) are filled in. A command
 * may then refuse because of the shop's state, but is never misunderstood.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Call from "../src/output/Call.ts"
import * as NextStep from "../src/output/NextStep.ts"
import * as AllCodes from "../src/why/AllCodes.ts"
import { commandsIn, words } from "./PrintedCommands.ts"
import { connector, examples, folderWith, gatewayFor } from "./RunningConnector.ts"

const allCodes = await AllCodes.allCodes()
const shop = "My Shop (2026)"
const header =
  "Kind,InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,OriginalInvoice,Reason"

const row = (number: string, date: string, tax = "Standard") =>
  `invoice,${number},${date},USD,inclusive,Lamp,1,10.00,${tax},85131000,,`

/** Returns a shop with refused, rejected, held and Unknown documents. */
const started = Effect.gen(function* () {
  const cwd = yield* folderWith()
  const folder = join(cwd, shop)
  mkdirSync(folder)
  const sandbox = yield* gatewayFor(folder)
  const write = (name: string, ...rows: ReadonlyArray<string>) => {
    writeFileSync(join(folder, `${name}.csv`), [header, ...rows].join("\n"))
    copyFileSync(join(examples, "historical-invoices.book.json"), join(folder, `${name}.book.json`))
  }
  write("my sales", row("INV 1", "2026-03-02"), row("INV 2", "2026-03-03"), row("INV 3", "2026-03-04"))
  write("refused", row("R 1", "2026-03-05", "Luxury"), row("R 2", "2026-03-05"))
  write("unclear", row("U-1", "03/02/2026"))
  const config = ["--config", `${shop}/account.json`]
  const importing = (name: string, ...more: ReadonlyArray<string>) =>
    connector(["import", "csv", `${shop}/${name}.csv`, ...config, ...more], { cwd })
  return { cwd, folder, config, importing, sandbox, write }
})

const places: ReadonlyArray<readonly [place: RegExp, text: string]> = [
  [/\bNUMBER\b/, "'INV 1'"],
  [/<[^<>]*>/, "it is so"],
  [/--config FILE/, `--config '${shop}/account.json'`],
  [/\bBOOK\b/, `'${shop}/my sales.book.json'`],
  [/csv FILE/, `csv '${shop}/my sales.csv'`],
  [/\bFILE\b/, `'${shop}/a file'`],
  [/\bREQUEST_ID\b/, "11111111-2222-4333-8444-555555555555"],
  [/\bNAME\b/, "main"],
  [/\bCODE\b/, "USD"]
]

/** Messages that only the parser prints. */
const misunderstood =
  /^(Unrecognized flag|Unknown subcommand|Missing required|Missing flag|Missing argument|Invalid value|Unexpected|Too many)|There is no file|There is no store|There is no mapping book/m

const understood = Effect.fnUntraced(function* (printed: string, cwd: string) {
  const line = places.reduce((text, [place, put]) => text.replace(place, put), printed)
  const { err, out } = yield* connector(yield* words(line), { cwd })
  assert.notMatch(`${err}\n${out}`, misunderstood, `${line}\n${err}`)
})

// slow: the command parses every command that a code or a page prints
describe("a command that is printed", () => {
  it.live("is accepted by the command, for many problems, in a folder whose name needs quoting", function* () {
    const { config, cwd, importing, sandbox, write } = yield* started
    const run = (args: ReadonlyArray<string>) => connector(args, { cwd })
    const printed = new Set<string>()
    const story = <A extends { readonly out: string; readonly err: string }>(run: Effect.Effect<A>) =>
      Effect.map(run, ({ err, out }) => {
        for (const line of commandsIn(`${out}\n${err}`)) printed.add(line)
      })
    yield* story(run(["plan", "csv", `${shop}/unclear.csv`, ...config]))
    yield* story(run(["import", "csv", `${shop}/my sales.csv`, "--sandbox", "--book", `${shop}/no.book.json`]))
    yield* story(run(["plan", "csv", `${shop}/my sales.csv`]))
    yield* story(run(["plan", "csv", `${shop}/my sales.csv`, ...config]))
    yield* sandbox.control.addFault({ kind: "reject", times: 1, documents: ["INV 1"] })
    yield* sandbox.control.addFault({ kind: "drop", stage: "after", times: 1, documents: ["INV 2"] })
    yield* story(importing("my sales"))
    yield* story(run(["explain", "INV 1", ...config]))
    yield* story(run(["explain", "INV 2", ...config]))
    yield* story(run(["health", ...config]))
    yield* story(run(["list", ...config]))
    yield* story(run(["resume", ...config]))
    yield* story(run(["resolve", "INV 2", "--resend", "--because", "not in the portal", ...config]))
    yield* story(importing("refused"))
    yield* story(importing("refused", "--send-rest"))
    write("late", row("L 1", "2026-03-01"))
    yield* story(importing("late"))
    yield* story(run(["doctor", ...config, "--book", `${shop}/my sales.book.json`]))
    yield* sandbox.control.closeDay()
    yield* story(run(["z-reports", ...config]))
    yield* story(run(["z-reports", "--day", "1", ...config]))
    assert.isAbove(printed.size, 15, [...printed].join("\n"))
    for (const line of printed) yield* understood(line, cwd)
  })

  it.live("by `why`, a report or a page is accepted for every code", function* () {
    const { config, cwd, folder, importing } = yield* started
    yield* importing("my sales")
    // `why` has no store option, and uses the store in the folder.
    copyFileSync(join(folder, "fiscal-connector.db"), join(cwd, "fiscal-connector.db"))
    writeFileSync(join(folder, "a file"), readFileSync(join(folder, "my sales.csv")))
    const call = Call.make(["list", ...config])
    const printed = new Set(
      allCodes.flatMap(({ steps }) => [
        ...NextStep.callsFor(steps, call),
        ...NextStep.callsFor(steps, Call.make(["why", "CODE"])),
        ...NextStep.callsFor(steps, call, { number: "INV 1", account: "main" }),
        ...NextStep.callsFor(steps, Call.make(["list", ...config, "--account", "main"]), { number: "INV 1" })
      ])
    )
    assert.isAbove(printed.size, 30)
    for (const line of printed) yield* understood(line, cwd)
  })
})
