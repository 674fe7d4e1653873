/**
 * An operator without a terminal has a file and a folder, calls one command, and pastes every
 * command that is printed, in the same folder. The operator completes lists of answers, and decides
 * nothing else. Every pasted command is understood and leads on; a file that is answered whole is
 * sent whole, and no document gets a second receipt.
 */
import { assert, it } from "../../packages/core/test/It.ts"
import type { OpenQuestion } from "../../packages/core/src/question/OpenQuestion.ts"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandsIn, words } from "../../packages/cli/test/PrintedCommands.ts"
import {
  connector,
  type Ended,
  examples,
  folderWith,
  gatewayFor,
  lines,
  type Signaled
} from "../../packages/cli/test/RunningConnector.ts"
import * as Call from "../../packages/cli/src/output/Call.ts"
import * as Clerk from "../business/Clerk.ts"
import { firm } from "../business/Firm.ts"
import { written } from "../business/Layouts.ts"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"

const { seeds } = given("printed-steps")

/** Time after which the operator ends a command, such as a service. */
const longest = 20_000
const most = 40

const german = `Belegnummer;Belegdatum;Belegart;Firma;USt-IdNr.;Bezeichnung;Menge;Einzelpreis netto;Gesamt netto;USt %;USt-Betrag;Gesamt brutto;Währung;Zahlungsart
RE-1;05.01.2026;Rechnung;Beispiel GmbH;;Schrauben;3;12,50;37,50;15,5;5,81;43,31;USD;Bar
`

const till = `Number;Date;Customer;Item;Qty;Price;Amount;Total
1001;03/02/2026;Acme;Chair;2;10,00;20,00;23,10
1002;04/02/2026;Bolt;Desk;1;100,00;100,00;115,50
`

const taxes = [
  { taxId: 1, taxPercent: "15", taxName: "Standard" },
  { taxId: 515, taxPercent: "15.5", taxName: "Standard from 2026" },
  { taxId: 5, taxPercent: "5", taxName: "Reduced" },
  { taxId: 2, taxPercent: "0", taxName: "Zero" },
  { taxId: 3, taxName: "Exempt" }
]

/** Answers that every operator knows; for other questions, the proposal. */
const known: Readonly<Record<string, string>> = {
  zone: "+02:00",
  currency: "USD",
  dates: "dmy",
  "contents no-kinds": "invoices",
  "product-codes": "12345678",
  "buyers-without-number": "cash-sale"
}

const proposed = ({ choices, id, proposal }: OpenQuestion): string =>
  known[id] ?? proposal ?? choices.find(({ fill }) => fill === null)?.id ?? "USD"

interface File {
  readonly name: string
  readonly text: string | Uint8Array
  readonly answerOf: (question: OpenQuestion) => string
  /** Number of documents; undefined if not all of them can be sent. */
  readonly documents: number | undefined
}

const filesOf = (seed: number): ReadonlyArray<File> => {
  const of = firm(seed, { documents: [1, 4] })
  const table = written(of, { shape: "csv", rows: "line", taxes: "named" }, seed)
  const truth = Clerk.truth(of, table)
  const file = (name: string, text: File["text"], documents?: number): File => ({
    name,
    text,
    documents,
    answerOf: proposed
  })
  const example = (name: string) => readFileSync(join(examples, name))
  return [
    file("kasse.csv", german, 1),
    file("my till.csv", till, 2),
    {
      ...file("sales.csv", table.bytes, of.documents.length),
      answerOf: (question) => truth(question) ?? proposed(question)
    },
    file("example.csv", example("historical-invoices.csv"), 46),
    file("faults.csv", example("historical-invoices-with-faults.csv")),
    file("orders.json", JSON.stringify({ orders: [{ orderNo: 7001, items: [{ sku: "A", qty: 2, price: 17.5 }] }] })),
    file("empty.csv", "")
  ]
}

type Place = "sandbox" | "nothing" | "beside" | "named" | "environment" | "several"

const otherKey = "7f6f7d8a-7b1d-4f5e-9a1c-5d6f7d8a7b1d"

/** Returns a folder with the file, and a gateway that is configured in this place. */
const folderOf = (place: Place, folder: string, { name, text }: File) =>
  Effect.gen(function* () {
    const cwd = yield* folderWith()
    const other = { accounts: [{ key: otherKey, device: 2002 }], devices: [{ deviceId: 2002 }] }
    const gateway = yield* gatewayFor(cwd, {
      ...(name !== "example.csv" && { device: { taxes } }),
      ...(place === "several" && other)
    })
    mkdirSync(join(cwd, folder), { recursive: true })
    writeFileSync(join(cwd, folder, name), text)
    if (place === "several") {
      writeFileSync(join(cwd, "key2"), otherKey, { mode: 0o600 })
      const { accounts } = JSON.parse(readFileSync(join(cwd, "account.json"), "utf8"))
      const both = { accounts: { ...accounts, till: { ...accounts.main, keyFile: "key2" } } }
      writeFileSync(join(cwd, "account.json"), JSON.stringify(both))
    }
    if (place === "beside" || place === "several")
      for (const one of readdirSync(cwd).filter((one) => statSync(join(cwd, one)).isFile()))
        renameSync(join(cwd, one), join(cwd, folder, one === "account.json" ? "accounts.json" : one))
    const receipts = Effect.map(gateway.control.accepted, (all) =>
      all.map(({ number, receipts }) => ({ number, receipts }))
    )
    return { cwd, receipts }
  })

/** Messages of a call that is not understood, or that names what does not exist. */
const misunderstood =
  /^(Unrecognized flag|Unknown subcommand|Missing required|Missing flag|Missing argument|Invalid value|Unexpected|Too many)|There is no (file|store|mapping book)|Say which account|is not a format/m

const crashed = /^\s+at .+:\d+:\d+\)?$|TypeError|FiberFailure/m

/** The operator knows the rest: answers, or what a drafted book leaves open. */
const waits = /questions? (?:is|are) open|not filled in yet|This follows from the answers to/

/** Prints for reading; its commands are examples. */
const isText = /^connector docs| --help$/

/** A place that the operator fills in, or a command about rows to correct first. */
const isOfOperator = /<[^<>]*>|\[flags\]|\.refused\.|\b(?:FILE|BOOK|NAME|NUMBER|REQUEST_ID)\b/

/** Returns the digest of all files except stores. */
const digestOf = (cwd: string): string => {
  const hash = createHash("sha256")
  for (const one of readdirSync(cwd, { recursive: true }).map(String).toSorted())
    if (!one.includes(".db") && statSync(join(cwd, one)).isFile()) hash.update(one).update(readFileSync(join(cwd, one)))
  return hash.digest("hex")
}

const played = (seed: number) =>
  Effect.gen(function* () {
    const random = Random.make(seed)
    const file = random.pick(filesOf(seed))
    const folder = random.pick(["", "", "My Shop (2026)"])
    const place = random.pick(["sandbox", "nothing", "beside", "beside", "named", "environment", "several"] as const)
    const { cwd, receipts } = yield* folderOf(place, folder, file)
    const name = join(folder, file.name)
    const env = place === "environment" ? { FISCAL_CONNECTOR_CONFIG: "account.json" } : {}
    const verb = random.pick(["start", "start", "plan", "plan", "import", random.pick(["health", "doctor", "resume"])])
    const isOfFile = ["start", "plan", "import"].includes(verb)
    const account = place === "several" && isOfFile && random.chance(0.7) ? ["--account", "main"] : []
    const where =
      place === "named" ? ["--config", "account.json"] : place === "sandbox" && isOfFile ? ["--sandbox"] : []
    const run = (args: ReadonlyArray<string>): Effect.Effect<Ended> => {
      let timer: NodeJS.Timeout | undefined
      const watch = (_: string, { interrupt }: Signaled) => {
        timer ??= setTimeout(interrupt, longest)
      }
      return Effect.ensuring(
        connector(args, { cwd, env, watch }),
        Effect.sync(() => clearTimeout(timer))
      )
    }
    /** Fills in a list of answers that a pasted command has written. */
    const complete = (args: ReadonlyArray<string>, list: string) =>
      Effect.gen(function* () {
        const plan = args.filter((_, i) => !/--(?:write-)?answers/.test(`${args[i - 1]} ${args[i]}`))
        const answers: Record<string, string> = {}
        for (let isOpen = true; isOpen;) {
          writeFileSync(join(cwd, list), JSON.stringify({ version: 1, answers }))
          const { out } = yield* run([...plan, "--answers", list, "--json"])
          const [open] = lines(out) as ReadonlyArray<{ readonly questions?: ReadonlyArray<OpenQuestion> }>
          const questions = (open?.questions ?? []).filter(({ id }) => answers[id] === undefined)
          for (const question of questions) answers[question.id] = file.answerOf(question)
          isOpen = questions.length > 0
        }
      })
    const first = Call.shellText([verb, ...(isOfFile ? [name] : []), ...where, ...account])
    const left = [{ line: first, at: "" }]
    const seen = new Set<string>()
    const kinds: Array<string> = []
    const story: Array<string> = []
    const problems: Array<string> = []
    let isWhole = false
    let sent = ""
    for (let step = left.pop(); step !== undefined && seen.size < most; step = left.pop()) {
      const before = digestOf(cwd)
      const { at, line } = step
      const isStale = at !== before
      if (seen.has(line) && isStale) continue
      if (seen.has(`${line} ${before}`)) continue
      seen.add(line).add(`${line} ${before}`)
      const args = yield* words(line)
      const ended = yield* run(args)
      const text = `${ended.out}\n${ended.err}`
      const [, list] = /^(.+\.json) written: .*Complete it/m.exec(text) ?? []
      if (list !== undefined) yield* complete(args, list)
      const after = digestOf(cwd)
      const printed = isText.test(line) ? [] : commandsIn(text)
      const next = printed.filter((one) => !isOfOperator.test(one))
      const isOn = next.some((one) => !seen.has(`${one} ${after}`))
      kinds.push(`${args[0]} [${ended.code}]${after === before ? "" : ", writes files"}`)
      story.push(`${line} [${ended.code}]`)
      if (args[0] === "import") sent = text
      isWhole ||= new RegExp(`^${file.documents} documents?: ${file.documents} fiscalised`, "m").test(ended.out)
      const problem = (what: string) => problems.push(`${story.join(", then ")} ${what}\n${text}`)
      if (crashed.test(text)) problem("crashes")
      if (place !== "nothing" && place !== "sandbox" && printed.some((one) => one.includes("--config FILE")))
        problem("prints a place for the configuration")
      if (line !== first && ended.code === 1 && !isStale) {
        if (misunderstood.test(text)) problem("is misunderstood")
        else if (!isOn && !waits.test(text)) problem("is refused, and leads to nothing")
      }
      left.push(...next.toReversed().map((one) => ({ line: one, at: after })))
    }
    const what = `seed ${seed}, ${file.name}, configuration ${place}: `
    if (isOfFile && file.documents !== undefined && !isWhole)
      problems.push(`${story.join(", then ")}: is not sent whole\n${sent}`)
    const doubled = (yield* receipts).flatMap(({ number, receipts }) =>
      receipts > 1 ? [`${number} has ${receipts}`] : []
    )
    problems.push(...doubled)
    return { kinds, problems: problems.map((problem) => what + problem) }
  }).pipe(Effect.scoped)

it.live(`every command that is printed leads on where it was printed: ${seeds.length} folders`, function* () {
  const outcomes = yield* Effect.forEach(seeds, played, { concurrency: 4 })
  process.stdout.write(`${counted(outcomes.flatMap(({ kinds }) => kinds))}\n`)
  assert.strictEqual(outcomes.flatMap(({ problems }) => problems).join("\n\n"), "")
})
