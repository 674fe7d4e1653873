/**
 * Changes the gateway's answers one place at a time: each result must follow the table of
 * docs/gateway.md#answers.
 */
import { assert, it } from "../../packages/core/test/It.ts"
import { Effect, Redacted, Result } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { CurrencyCode, TaxCode } from "../../packages/core/src/document/Identifiers.ts"
import type { OperationId } from "../../packages/core/src/gateway/contract/Operation.ts"
import type { GatewayError } from "../../packages/core/src/gateway/contract/GatewayError.ts"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import * as WithoutSockets from "../../packages/core/test/sending/WithoutSockets.ts"
import * as Sample from "../../packages/core/test/gateway/SampleAnswers.ts"
import { given } from "../Given.ts"
import { type Run, run, type Vat } from "./AnswersWorld.ts"
import { type Mutation, mutations } from "./Mutations.ts"
import { verdict } from "./Verdict.ts"

const { count, extent, seeds } = given("answers")

const asked = new Set<OperationId>([
  "profile",
  "fiscalDevice",
  "subscription",
  "zReports",
  "taxMappings",
  "currencyMappings",
  "supportedCurrencies",
  "status",
  "submitInvoice"
])

/**
 * Operations of which only the first answer is changed, because a later answer would repeat the
 * original content.
 */
const once = new Set<OperationId>(["status", "submitInvoice"])

const changing = ({ change, operation }: Mutation) => {
  let isDone = false
  return (answered: OperationId, text: string): string | undefined => {
    if (answered !== operation || isDone || text === "[]") return undefined
    if (once.has(operation)) isDone = true
    return change(text)
  }
}

type Called = Effect.Effect<unknown, GatewayError>
const tax = { taxCode: TaxCode.make("VAT15"), taxName: "VAT", destinationTaxId: 1 }
const currency = { sourceCurrency: CurrencyCode.make("USD"), destinationCurrency: "USD" }

/** Operations that an import does not call. */
const calls: Partial<Record<OperationId, (gateway: Gateway.GatewayOperations) => Called>> = {
  taxMapping: (gateway) => gateway.taxMapping(7),
  addTaxMapping: (gateway) => gateway.addTaxMapping(tax),
  updateTaxMapping: (gateway) => gateway.updateTaxMapping({ ...tax, id: 7, userId: 1, unknownFields: {} }),
  deleteTaxMapping: (gateway) => gateway.deleteTaxMapping(7),
  currencyMapping: (gateway) => gateway.currencyMapping(9),
  addCurrencyMapping: (gateway) => gateway.addCurrencyMapping(currency),
  updateCurrencyMapping: (gateway) =>
    gateway.updateCurrencyMapping({ ...currency, id: 9, userId: 1, regulatorDeviceId: 1, unknownFields: {} }),
  deleteCurrencyMapping: (gateway) => gateway.deleteCurrencyMapping(9),
  zReport: (gateway) => gateway.zReport(41),
  zReportPdf: (gateway) => gateway.zReportPdf(41),
  downloadPdf: (gateway) => gateway.downloadPdf("a.pdf"),
  test: (gateway) => gateway.test
}

const encoder = new TextEncoder()

/** Calls the operation alone; every failure must be a typed error. */
const calledAlone = ({ expected, operation, sample, told }: Mutation) =>
  Effect.gen(function* () {
    const client = WithoutSockets.client(() =>
      Effect.succeed({ status: 200, headers: {}, body: encoder.encode(sample) })
    )
    const gateway = yield* Gateway.make({
      account: "main",
      baseUrl: "http://127.0.0.1",
      application: "test",
      station: "test",
      apiKey: Redacted.make("a-key-of-the-proof"),
      retries: { times: 0 }
    }).pipe(Effect.provideService(HttpClient.HttpClient, client))
    const answer = yield* Effect.result(calls[operation]!(gateway))
    const misfits = yield* gateway.misfits
    const isRefused = expected === "answer" || (expected === "row" && /^(tax|currency|add)/.test(operation))
    if (Result.isFailure(answer)) return isRefused || expected === "safe" ? [] : [`failed: ${answer.failure.message}`]
    if (isRefused) return ["was to be refused as malformed, and was not"]
    return told === "must-be-told" && misfits.length === 0 ? ["not told"] : []
  })

const samplesOf = (texts: ReadonlyMap<OperationId, string>) => ({
  ...Object.fromEntries(
    [...texts].filter(([id]) => id !== "submitInvoice").map(([id, text]) => [id, JSON.parse(text)])
  ),
  taxMapping: Sample.taxMapping,
  addTaxMapping: Sample.taxMapping,
  currencyMapping: Sample.currencyMapping,
  addCurrencyMapping: Sample.currencyMapping,
  zReport: { ...Sample.zReport, ClosedAt: "2026-02-03T20:00:00" }
})

/**
 * Returns the worlds for a mutation. Without VAT registration, there is no VAT number to change: a
 * number would be that of another taxpayer.
 */
const worldsOf = ({ place }: Mutation): ReadonlyArray<Vat> =>
  /vatnumber$/i.test(place) ? ["registered"] : ["registered", "not-registered"]

const expectedBase: Readonly<Record<Vat, Run["states"]>> = {
  registered: {
    standard: "Fiscalised",
    zero: "Fiscalised",
    today: "Fiscalised",
    behind: "Held",
    expired: "Refused RCPT025",
    euro: "Refused RCPT010",
    alone: "Refused RCPT015"
  },
  "not-registered": {
    standard: "Refused RCPT021",
    zero: "Fiscalised",
    today: "Refused RCPT021",
    behind: "Refused RCPT021",
    expired: "Refused RCPT021 RCPT025",
    euro: "Refused RCPT010",
    alone: "Refused RCPT015"
  }
}

it.effect("every changed answer has the consequence in its table, and no receipt gets a color", function* () {
  const texts = new Map<OperationId, string>()
  const base: Record<string, Run> = {}
  for (const vat of ["registered", "not-registered"] as const) {
    base[vat] = yield* run(vat, (operation, text) => {
      if (vat === "registered" && text !== "[]") texts.set(operation, text)
      return undefined
    })
    assert.deepStrictEqual(base[vat].states, expectedBase[vat])
    assert.isNull(base[vat].stopped)
  }
  const all = mutations(samplesOf(texts)).flatMap((mutation) =>
    asked.has(mutation.operation)
      ? worldsOf(mutation).map((vat) => ({ mutation, vat }))
      : [{ mutation, vat: "registered" as const }]
  )
  const wrong: Array<string> = []
  const tally = new Map<string, number>()
  // The stride reaches every operation early.
  const chosen = seeds.map((seed) => all[(seed * 1009) % all.length]!)
  for (const { mutation, vat } of chosen) {
    const { expected, kind, operation, place } = mutation
    tally.set(expected, (tally.get(expected) ?? 0) + 1)
    const found = asked.has(operation)
      ? verdict(mutation, base[vat]!, yield* run(vat, changing(mutation)))
      : yield* calledAlone(mutation)
    wrong.push(...found.map((problem) => `${operation} ${place}, ${kind} (${expected}, ${vat}): ${problem}`))
  }
  const kinds = [...tally].map(([expected, number]) => `${number} ${expected}`).join(", ")
  process.stdout.write(`${chosen.length} of ${all.length} changed answers: ${kinds}; ${wrong.length} disagree\n`)
  assert.deepStrictEqual(wrong, [])
  if (extent === "full") assert.isAtLeast(Math.min(count, all.length), 2000)
})
