/**
 * In generated situations, an operator who looks at nothing pastes every command that `health`,
 * `explain` and each answer print, in the order in which they are printed, and submits every form
 * of the page. A placeholder is refused; then the operator puts any text in its place. No document
 * gets a second receipt.
 */
import { assert, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { commandsIn, words } from "../../packages/cli/test/PrintedCommands.ts"
import { connector, type Ended, type Signaled } from "../../packages/cli/test/RunningConnector.ts"
import { type Item, shop, switchOff, type Way } from "../evidence/EvidenceShop.ts"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import { make } from "../Random.ts"
import { visit } from "./BlindVisitor.ts"
import { type Document, type Fate, type Situation, situation, type Words } from "./Situations.ts"

const { seeds } = given("pasted")

const rounds = 3
const mostOfRound = 40
/** Time after which the operator ends a command that waits for outcomes, and any other command. */
const [waits, longest] = [1000, 8000]

/** Runs the command in this process, and ends it by Ctrl-C if it waits. */
const impatient: Way = (args, { cwd }) =>
  Effect.suspend(() => {
    const timers: Array<NodeJS.Timeout> = []
    const watch = (printed: string, { interrupt }: Signaled) => {
      if (timers.length === 0) timers.push(setTimeout(interrupt, longest))
      if (timers.length === 1 && printed.includes("have their outcome")) timers.push(setTimeout(interrupt, waits))
    }
    return Effect.ensuring(
      connector(args, { ...(cwd !== undefined && { cwd }), watch }),
      Effect.sync(() => timers.forEach((timer) => clearTimeout(timer)))
    )
  })

const failing = (item: Item, { actionable, error }: Words): Item => ({
  ...item,
  Success: false,
  IsActionable: actionable,
  Error: error
})

const tillKey = "7f6f7d8a-7b1d-4f5e-9a1c-5d6f7d8a7b1d"

/** Returns the export with these documents, each of one line. */
const exportOf = (documents: ReadonlyArray<Document>): string =>
  [
    "Kind,InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,OriginalInvoice,Reason",
    ...documents.map(({ number, original }) => {
      const [kind, credits] = original === null ? ["invoice", ","] : ["credit-note", `${original},Returned`]
      return `${kind},${number},2026-02-03,USD,inclusive,Lamp,1,10.00,Standard,85131000,${credits}`
    })
  ].join("\n")

const silentItem = { Success: false, IsActionable: null, Error: null, QrData: null, FiscalInvoicePdf: null }

interface Outcome {
  readonly seed: number
  readonly commands: number
  readonly refused: number
  readonly forms: number
  /** Commands by their words, with their exit codes. */
  readonly kinds: ReadonlyArray<string>
  readonly doubled: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

/** Commands that show or write files, and decide nothing. */
const idle = /^connector (?:pdf|z-reports|doctor|why|list|plan|import|init|start)\b|--help$/

const played = (seed: number): Effect.Effect<Outcome, unknown> =>
  Effect.gen(function* () {
    const drawn: Situation = situation(make(seed), rounds)
    const { ages, copiedAfter, documents, off, page, reason, refused, repeats, source, unknown, unknownIds } = drawn
    // No fate is drawn for a prepared credit note, which a printed command sends.
    const fateOf = (number: string): Fate => documents.find((one) => one.number === number)?.fate ?? { _tag: "plain" }
    const accounts = [...new Set(documents.map(({ account }) => account)).add("main")].toSorted()
    let round = 0
    let last: unknown = null
    const made = yield* shop(
      {
        item: (item, { number }) => {
          const fate = fateOf(number)
          const shared = last
          last = item["QrData"] ?? last
          switch (fate._tag) {
            case "words":
              return round < fate.until ? failing({ ...item, QrData: null, FiscalInvoicePdf: null }, fate.words) : item
            case "contradiction":
              if (item["Success"] !== true) return item
              return failing(
                { ...item, QrData: fate.as === "text" ? JSON.stringify(item["QrData"]) : item["QrData"] },
                fate.words
              )
            case "unproven":
              return round < fate.until ? { ...item, QrData: null, FiscalInvoicePdf: null } : item
            case "shared":
              return item["Success"] === true && shared !== null ? { ...item, QrData: shared } : item
            case "silent":
              return round < fate.until ? { ...item, ...silentItem } : item
            default:
              return item
          }
        },
        cuts: ({ nth, number }) => {
          const fate = fateOf(number)
          return nth === 1 && fate._tag === "lost" && fate.stage === "after"
        },
        answered: (count) => {
          if (off !== null && count === off.after && round < off.until) switchOff(made.sandbox)
        }
      },
      {
        gateway: { repeats, unknownIds, unknownItem: unknown },
        ...(accounts.length > 1 && { accounts: [{ key: tillKey, device: 2002 }], devices: [{ deviceId: 2002 }] })
      },
      { way: impatient }
    )
    const { age, cwd, importing, run, sandbox } = made
    const { addFault } = sandbox.control
    const submits = { operations: ["submitInvoice", "submitCreditNote"] } as const
    for (const { fate, number } of documents) {
      const about = { documents: [number], ...submits }
      if (fate._tag === "failed")
        yield* addFault({
          kind: "reject",
          error: typeof fate.words.error === "string" ? fate.words.error : JSON.stringify(fate.words.error),
          ...about,
          times: fate.times
        })
      if (fate._tag === "declined") yield* addFault({ kind: "error", status: fate.status, times: 1, ...about })
      if (fate._tag === "lost" && fate.stage === "before")
        yield* addFault({ kind: "error", status: 502, stage: "before", times: 1, ...about })
    }
    const stop =
      refused === null
        ? null
        : yield* addFault({ kind: "error", status: refused.status, skip: refused.after, ...submits })
    const problems: Array<string> = []
    let [commands, turnedDown, forms] = [0, 0, 0]
    const kinds: Array<string> = []
    const done = (ended: Ended, line: string) => {
      commands++
      const [, verb = line] = /^connector (\S+)/.exec(line) ?? []
      const flags = line.match(/ --(?!config|because|account)[a-z-]+/g) ?? []
      kinds.push(`${verb}${flags.join("")} [${ended.code}]`)
      if (/^\s+at .+:\d+:\d+\)?$|TypeError|FiberFailure/m.test(ended.err)) problems.push(`${line}: ${ended.err}`)
      return ended
    }
    const imported = (which: ReadonlyArray<Document>) =>
      Effect.forEach(accounts, (account) => {
        const own = which.filter((one) => one.account === account)
        if (own.length === 0) return Effect.void
        const text = exportOf(own)
        const stated = source === "corrected" && round > 0 ? text.replaceAll("Lamp", "Desk lamp") : text
        const named = accounts.length > 1 ? ["--account", account] : []
        return Effect.map(run(...importing(`${account}.csv`, stated), ...named), (ended) => done(ended, "import"))
      })
    yield* imported(documents.slice(0, copiedAfter ?? documents.length))
    if (copiedAfter !== null) {
      yield* run("store", "backup", "older.db")
      yield* imported(documents.slice(copiedAfter))
      for (const name of readdirSync(cwd)) if (name.startsWith("fiscal-connector.db")) rmSync(join(cwd, name))
      copyFileSync(join(cwd, "older.db"), join(cwd, "fiscal-connector.db"))
    }
    const pasteAll = Effect.gen(function* () {
      const seen = new Set<string>()
      const left = ["connector health --config account.json"]
      for (let line = left.pop(); line !== undefined && seen.size < mostOfRound; line = left.pop()) {
        if (seen.has(line) || idle.test(line)) continue
        seen.add(line)
        const args = yield* words(line)
        const isPlace = args.some((arg) => /^<[^<>]*>$/.test(arg))
        let ended = done(yield* run(...args), line)
        if (isPlace) {
          if (ended.code === 0) problems.push(`a placeholder is taken: ${line}`)
          else turnedDown++
          ended = done(yield* run(...args.map((arg) => arg.replace(/^<[^<>]*>$/, reason))), line)
        }
        left.push(...commandsIn(`${ended.out}\n${ended.err}`).toReversed())
      }
    })
    for (round = 0; round < rounds; round++) {
      age(ages[round]!)
      if (off?.until === round) yield* sandbox.control.changeDevice({ isSwitchedOn: true })
      if (refused?.until === round && stop !== null) yield* sandbox.control.removeFault(stop)
      yield* imported(documents)
      if (page === round) forms += yield* visit(cwd, reason)
      else yield* pasteAll
    }
    const receipts = yield* made.receipts
    const doubled = Object.entries(receipts).flatMap(([number, count]) =>
      count > 1 ? [`seed ${seed}: ${number} has ${count} receipts: ${JSON.stringify(drawn)}`] : []
    )
    return { seed, commands, refused: turnedDown, forms, doubled, problems, kinds }
  }).pipe(Effect.scoped)

it.live(`no document gets a second receipt in ${seeds.length} situations whose every command is pasted`, function* () {
  const outcomes = yield* Effect.forEach(seeds, played, { concurrency: 24 })
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((all, one) => all + of(one), 0)
  const doubled = outcomes.flatMap((one) => one.doubled)
  process.stdout.write(
    `${outcomes.length} situations: ${sum(({ commands }) => commands)} commands, ${sum((one) => one.refused)} placeholders refused, ${sum(({ forms }) => forms)} forms; ${doubled.length} second receipts\n`
  )
  process.stdout.write(`${counted(outcomes.flatMap(({ kinds }) => kinds))}\n`)
  assert.strictEqual(doubled.join("\n"), "")
  assert.strictEqual(outcomes.flatMap(({ problems }) => problems).join("\n\n"), "")
})
