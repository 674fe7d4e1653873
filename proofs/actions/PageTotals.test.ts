/**
 * Every total of an import on the page equals the sum that the drawn documents give, with credit
 * notes negative: on Check, while sending, on the result, in the list of documents, in the report,
 * and in the command's plan. The groups of each screen add up to its heading.
 */
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "../../packages/core/test/It.ts"
import { connector, folderWith, gatewayFor, key, lines, secret } from "../../packages/cli/test/RunningConnector.ts"
import { start, Visitor } from "../../packages/ui/test/PageProcess.ts"
import { given } from "../Given.ts"
import { make, type Random } from "../Random.ts"

const { seeds } = given("page-totals")

const book = "historical-invoices-with-faults.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const flags = ["--config", "account.json", "--book", book]
const header =
  "Kind,InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod,OriginalInvoice,Reason,Status"

/** `unread`: the total has a letter, and lines give the amount. `dark`: no figure is readable. */
type Fate = "sent" | "rejected" | "held" | "unread" | "dark" | "skipped"

interface Drawn {
  readonly number: string
  readonly original: string | null
  readonly currency: "USD" | "ZAR"
  readonly cents: number
  readonly day: number
  readonly fate: Fate
}

/** The first document of the device: older documents are late. */
const before: Drawn = { number: "B-1", original: null, currency: "USD", cents: 1000, day: 10, fate: "sent" }

const drawn = (random: Random): ReadonlyArray<Drawn> => {
  const invoices = random.times(3, 10, (i): Drawn => {
    const fate = random.pick(["sent", "sent", "sent", "rejected", "held", "unread", "dark", "skipped"] as const)
    const day = fate === "held" ? random.between(1, 9) : random.between(11, 18)
    const cents = random.between(1, 5_000_000)
    return { number: `INV-${i + 1}`, original: null, currency: random.pick(["USD", "ZAR"]), cents, day, fate }
  })
  const notes = invoices.flatMap(({ cents, currency, fate, number }): ReadonlyArray<Drawn> =>
    fate === "sent" && random.chance(0.5)
      ? [{ number: `CN-${number}`, original: number, currency, cents: random.between(1, cents), day: 20, fate: "sent" }]
      : []
  )
  return [...invoices, ...notes]
}

const plain = (cents: number) => (cents / 100).toFixed(2)

const csv = (documents: ReadonlyArray<Drawn>): string =>
  [
    header,
    ...documents.map(({ cents, currency, day, fate, number, original }) => {
      const amount = `${plain(cents)}${fate === "dark" ? "O" : ""}`
      const date = `2026-02-${String(day).padStart(2, "0")}`
      const total = fate === "unread" ? `${amount}O` : amount
      const credits = original === null ? "," : `${original},Returned`
      const kind = original === null ? "invoice" : "credit-note"
      const spelled = currency === "ZAR" ? "R" : "USD"
      return `${kind},${number},${date},${spelled},inclusive,Lamp,1,${amount},${amount},Zero,87168000,${total},card,${credits},${fate === "skipped" ? "Void" : "Issued"}`
    }),
    ""
  ].join("\n")

/** Sums by currency in cents, and the number of documents of unknown amount. */
type Sums = Readonly<Record<string, number>>

const sumOf = (documents: ReadonlyArray<Drawn>): Sums => {
  const sums: Record<string, number> = {}
  for (const { cents, currency, original } of documents)
    sums[currency] = (sums[currency] ?? 0) + (original === null ? cents : -cents)
  return sums
}

const centsOf = (text: string): number => Math.round(Number(text.replaceAll(",", "").replace("−", "-")) * 100)

const sumsIn = (text: string): Sums => {
  const sums: Record<string, number> = {}
  for (const [, currency, figure] of text.matchAll(/([A-Z]{3}) (−?[\d,]+\.\d\d)/g)) sums[currency!] = centsOf(figure!)
  const unknown = /([\d,]+) of unknown amount/.exec(text)?.[1]
  return unknown === undefined ? sums : { ...sums, unknown: Number(unknown) }
}

interface Group {
  readonly name: string
  readonly documents: number
  readonly sums: Sums
}

/** Reads the line in which the groups add up to the heading. The heading is the first. */
const groupsIn = (body: string): ReadonlyArray<Group> =>
  Array.from(
    body.matchAll(/<strong>([\d,]+)<\/strong>\s*<span[^>]*>([^<]*)<\/span>\s*<span class="amount">([^<]*)<\/span>/g),
    ([, count, name, amounts]) => ({ name: name!, documents: Number(count), sums: sumsIn(amounts!) })
  )

const known = (sums: Sums): Sums => Object.fromEntries(Object.entries(sums).filter(([name]) => name !== "unknown"))

const added = (all: ReadonlyArray<Sums>): Sums => {
  const sums: Record<string, number> = {}
  for (const one of all)
    for (const [currency, cents] of Object.entries(one)) sums[currency] = (sums[currency] ?? 0) + cents
  return sums
}

/** Waits for a heading, at most half a minute: a wrong one is a problem of the page. */
const until = async (visitor: Visitor, path: string, heading: RegExp): Promise<string> => {
  for (let i = 0; ; i++) {
    const { body } = await visitor.get(path)
    const shown = /<h1>[^<]*/.exec(body)?.[0] ?? ""
    if (heading.test(shown)) return body
    if (i === 300)
      throw new Error(`${path} shows ${shown}: ${body.slice(body.indexOf("<h1>"), body.indexOf("<h1>") + 2000)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const played = (seed: number) =>
  Effect.gen(function* () {
    const documents = drawn(make(seed))
    const problems: Array<string> = []
    const law = (what: string, found: unknown, expected: unknown) => {
      const text = (value: unknown) =>
        JSON.stringify(
          value !== null && typeof value === "object" && !Array.isArray(value)
            ? Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b))
            : value
        )
      if (text(found) !== text(expected)) problems.push(`${what}: ${text(found)} instead of ${text(expected)}`)
    }
    const folder = yield* folderWith(book)
    const gateway = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1 } })
    const of = (...fates: ReadonlyArray<Fate>) => documents.filter(({ fate }) => fates.includes(fate))
    const rejected = of("rejected").map(({ number }) => number)
    if (rejected.length > 0) yield* gateway.control.addFault({ kind: "reject", documents: rejected })
    writeFileSync(join(folder, "before.csv"), csv([before]))
    yield* connector(["import", "csv", "before.csv", ...flags], { cwd: folder })
    const text = csv(documents)
    writeFileSync(join(folder, "sales.csv"), text)
    const plan = yield* connector(["plan", "csv", "sales.csv", ...flags, "--json"], { cwd: folder })
    const totals = lines(plan.out).flatMap((line) => (line["totals"] as ReadonlyArray<PlanTotal> | undefined) ?? [])
    for (const [state, fates] of [
      ["Planned", ["sent", "rejected"]],
      ["Held", ["held"]]
    ] as const)
      law(
        `plan, ${state}`,
        added(
          totals
            .filter((one) => one.state === state)
            .map(({ currency, kind, total }) => ({
              [currency]: (kind === "invoice" ? 1 : -1) * Math.round(Number(total) * 100)
            }))
        ),
        sumOf(of(...fates))
      )
    const page = yield* start(flags, env, folder)
    const screen = (name: string, body: string, expected: Readonly<Record<string, ReadonlyArray<Drawn>>>) => {
      const [heading, ...groups] = groupsIn(body)
      law(`${name}: documents`, heading?.documents, documents.length)
      law(`${name}: groups add up`, added(groups.map(({ sums }) => sums)), heading?.sums)
      law(
        `${name}: counts add up`,
        groups.reduce((sum, one) => sum + one.documents, 0),
        heading?.documents
      )
      for (const [group, its] of Object.entries(expected)) {
        const found = groups.find((one) => one.name === group)
        law(`${name}: ${group}`, found?.documents ?? 0, its.length)
        law(
          `${name}: ${group}, not known`,
          found?.sums["unknown"] ?? 0,
          its.filter(({ fate }) => fate === "dark").length
        )
        law(`${name}: ${group}, sums`, known(found?.sums ?? {}), sumOf(its.filter(({ fate }) => fate !== "dark")))
      }
    }
    yield* Effect.promise(async () => {
      const visitor = await Visitor.open(page)
      const where = visitor.whereTo(await visitor.upload([["sales.csv", text]], { fields: { account: "main" } }))
      const check = await until(visitor, where, /^<h1>Documents to send/)
      const toSend = of("sent", "rejected")
      screen("Check", check, { "To send": toSend, "Held back": of("held"), "Not accepted": of("unread", "dark") })
      if (toSend.length === 0) return
      const panel = /<form class="card stick"[^]*?<\/form>/.exec(check)?.[0] ?? ""
      const sums = Array.from(
        panel.matchAll(/>Total ([A-Z]{3})<\/dt>\s*<dd[^>]*>([^<]*)</g),
        ([, currency, figure]) => ({
          [currency!]: centsOf(figure!)
        })
      )
      law("Check: panel", added(sums), sumOf(toSend))
      await visitor.post(`${where}/send`, { rest: "yes" })
      const sending = (await visitor.get("/imports/r2")).body
      const [heading, ...groups] = groupsIn(sending)
      law("Sending: groups add up", added(groups.map((one) => one.sums)), heading?.sums ?? {})
      await until(visitor, where, /^<h1>\s*(?:Done|[\d,]+ of [\d,]+ fiscalised)/)
      const fiscalised = of("sent")
      const expected = {
        Fiscalised: fiscalised,
        "Held back": of("held"),
        "Not accepted": of("unread", "dark", "rejected")
      }
      const result = (await visitor.get("/imports/r2")).body
      screen("Result", result, expected)
      screen("Report", (await visitor.get("/imports/r2/report")).body, expected)
      const isDone = of("rejected", "held", "unread", "dark").length === 0
      law("Done", result.includes("<h1>Done"), isDone)
      const list = /<tfoot[^]*?<\/tfoot>/.exec((await visitor.get("/documents")).body)?.[0] ?? ""
      law("Documents", known(sumsIn(list)), sumOf([before, ...of("sent", "rejected", "held")]))
    })
    return problems.map((problem) => `seed ${seed}: ${problem}`)
  }).pipe(Effect.scoped)

interface PlanTotal {
  readonly state: string
  readonly currency: string
  readonly kind: "invoice" | "credit-note"
  readonly total: string
}

it.live(`the totals of ${seeds.length} imports are those of their documents on every screen`, function* () {
  const problems = yield* Effect.forEach(seeds, played, { concurrency: 4 })
  assert.strictEqual(problems.flat().slice(0, 30).join("\n"), "")
})
