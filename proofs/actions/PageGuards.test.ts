/**
 * Random orders of looking in two tabs, registering, checking, sending, and changes of the codes at
 * the gateway. No document is sent while the gateway maps a code of it otherwise than shown, and
 * none by a form that is older than the check. Each receipt has the shown tax, and is the only one.
 */
import { Effect } from "effect"
import { assert, it } from "../../packages/core/test/It.ts"
import { connector, folderWith, gatewayFor, key, lines, secret } from "../../packages/cli/test/RunningConnector.ts"
import { start, Visitor } from "../../packages/ui/test/PageProcess.ts"
import { given } from "../Given.ts"
import { make, type Random } from "../Random.ts"

const { extent, seeds } = given("page-guards")

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const book = "historical-invoices-with-faults.book.json"
const flags = ["--config", "account.json"]
const spelled = { VAT155: "Standard", ZERO: "Zero" } as const
/** Device taxes of the codes in the book, which Check shows. */
const shown = { VAT155: 515, ZERO: 2 } as const
type Code = keyof typeof shown
const codes = ["VAT155", "ZERO"] as const

const drawn = (random: Random): ReadonlyArray<Code> => random.times(1, 4, () => random.pick(codes))

const csv = (documents: ReadonlyArray<Code>): string =>
  [
    "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod",
    ...documents.map((code, i) => `G-${i},2026-02-11,USD,inclusive,Lamp,1,10,10,${spelled[code]},87168000,10,card`),
    ""
  ].join("\n")

interface Mapping {
  readonly id: number
  readonly taxCode: Code
  readonly destinationTaxId: number
}

/** Check of a tab, and its codes to register. */
interface Tab {
  readonly check: string
  readonly plan: string
}

const walked = (seed: number) =>
  Effect.gen(function* () {
    const random = make(seed)
    const documents = drawn(random)
    const folder = yield* folderWith(book)
    const known = codes.filter(() => random.chance(0.5))
    const taxMappings = known.map((taxCode) => ({ taxCode, destinationTaxId: shown[taxCode] }))
    const sandbox = yield* gatewayFor(folder, { account: { taxMappings }, gateway: { processingDelayMillis: 1 } })
    const gateway = (...args: ReadonlyArray<string>) => connector(["gateway", ...args, ...flags], { cwd: folder })
    const mappings = Effect.map(gateway("tax-mappings", "--json"), ({ code, out }) => {
      assert.strictEqual(code, 0)
      return lines(out)[0] as unknown as ReadonlyArray<Mapping>
    })
    const page = yield* start([...flags, "--book", book], env, folder)
    const visitor = yield* Effect.promise(() => Visitor.open(page))
    const waits = /^<h1>\s*(?:Documents to send|Done|[\d,]+ of [\d,]+ fiscalised)/
    const story: Array<string> = []
    const problem = (what: string) => [`seed ${seed}, ${documents.join()}: ${what} after ${story.join(", ")}`]
    const where = visitor.whereTo(
      yield* Effect.promise(() => visitor.upload([["sales.csv", csv(documents)]], { fields: { account: "main" } }))
    )
    const look = Effect.map(
      Effect.promise(() => visitor.until(where, waits)),
      ({ body }): Tab => ({
        check: /name="check" value="(\d+)"/.exec(body)?.[1] ?? "",
        plan: /name="plan" value="([^"]+)"/.exec(body)?.[1] ?? ""
      })
    )
    const tabs = [yield* look, yield* look]
    for (let step = 0; step < 8; step++) {
      const act = random.pick(["look", "recheck", "register", "change", "send", "send"] as const)
      const at = random.between(0, 1)
      const tab = tabs[at]!
      story.push(`${act} ${at}`)
      if (act === "look") tabs[at] = yield* look
      else if (act === "recheck") yield* Effect.promise(() => visitor.post(`${where}/recheck`, {}))
      else if (act === "register") yield* Effect.promise(() => visitor.post(`${where}/register`, { plan: tab.plan }))
      else if (act === "change") {
        const code = random.pick(codes)
        const device = String(random.pick([shown[code], shown[code], 3]))
        const found = (yield* mappings).find(({ taxCode }) => taxCode === code)
        if (found === undefined) yield* gateway("add-tax-mapping", code, code, device)
        else if (random.chance(0.5)) yield* gateway("delete-tax-mapping", String(found.id))
        else yield* gateway("update-tax-mapping", String(found.id), code, code, device)
      } else {
        const now = yield* look
        const at = yield* mappings
        const wrong = documents.filter(
          (code) => !at.some(({ destinationTaxId, taxCode }) => taxCode === code && destinationTaxId === shown[code])
        )
        yield* Effect.promise(() => visitor.post(`${where}/send`, { rest: "yes", check: tab.check }))
        yield* look
        const sent = (yield* sandbox.control.accepted).length
        if (sent > 0 && wrong.length > 0) return problem(`${sent} sent under ${wrong.join()}`)
        if (sent > 0 && now.check !== tab.check) return problem(`${sent} sent by the form of an older check`)
        if (sent > 0) break
      }
      yield* look
    }
    const receipts = yield* sandbox.control.receipts
    if (receipts.length > 0) sentWalks++
    for (const { documentNumber, groups } of receipts) {
      const code = documents[Number(documentNumber.slice("G-".length))]!
      if (groups.some(({ taxId }) => taxId !== shown[code])) return problem(`${documentNumber} has another tax`)
    }
    const numbers = receipts.map(({ documentNumber }) => documentNumber)
    return new Set(numbers).size === numbers.length ? [] : problem("a document has two receipts")
  }).pipe(Effect.scoped)

let sentWalks = 0

it.live(`${seeds.length} orders of registering, checking, sending and changes send only what was shown`, function* () {
  const problems = yield* Effect.forEach(seeds, walked, { concurrency: 4 })
  assert.strictEqual(problems.flat().slice(0, 5).join("\n"), "")
  if (extent !== "part") assert.isAbove(sentWalks, 0)
})
