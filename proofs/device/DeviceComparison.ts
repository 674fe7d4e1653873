/**
 * Imports generated batches into a sandbox, through every step of a document, and counts the
 * results. The device must never mark a document that preflight passes. A document refused under a
 * code of the device is sent all the same, and must be marked with that code.
 */
import { planBatch } from "../../packages/core/src/session/Planning.ts"
import { acceptPlan } from "../../packages/core/src/session/Acceptance.ts"
import * as Session from "../../packages/core/src/session/Session.ts"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { BigDecimal, DateTime, Effect, Layer, Option, Redacted, Stream } from "effect"
import * as CivilDate from "../../packages/core/src/document/CivilDate.ts"
import { stamp, type UndatedDocument } from "../../packages/core/src/document/FiscalDocument.ts"
import { InvoiceId } from "../../packages/core/src/document/Identifiers.ts"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import * as Destination from "../../packages/core/src/account/Destination.ts"
import type { ImportEntry } from "../../packages/core/src/import/ImportEntry.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import * as UndiciHttpClient from "../../packages/core/src/node/UndiciHttpClient.ts"
import * as DeviceFacts from "../../packages/core/src/preflight/DeviceFacts.ts"
import * as Mark from "../../packages/core/src/submission/ledger/Mark.ts"
import type { SourceDocument } from "../../packages/core/src/source/SourceDocument.ts"
import * as OpenAccount from "../../packages/core/src/account/OpenAccount.ts"
import * as StatusPoller from "../../packages/core/src/sending/StatusPoller.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import * as Submitter from "../../packages/core/src/sending/Submitter.ts"
import { translate } from "../../packages/core/src/translate/translate.ts"
import { withSubmit } from "../../packages/core/test/gateway/Loopback.ts"
import { batch, type Calendar, randomness } from "../../packages/core/test/preflight/GeneratedBatch.ts"
import * as WrittenDocument from "../../packages/core/src/document/WrittenDocument.ts"

export interface Counts {
  documents: number
  /** Documents that passed preflight and were fiscalized without a mark. */
  clean: number
  /** Documents held (late, original refused), and so not sent. */
  held: number
  /**
   * Documents refused under a code of the device and marked with it, or failed with it in the text;
   * by code.
   */
  readonly confirmed: Map<string, number>
  /** Refusals under a further code that the device could not find behind a worse one. */
  hidden: number
  /** Documents refused only for other reasons. */
  otherwise: number
  /** Problems; expected to be empty. */
  readonly problems: Array<string>
}

const zone = Option.getOrThrow(DateTime.zoneFromString("+02:00"))

/** Days since the change of the standard rate. */
const change = 200

const bookText = (calendar: Calendar): string =>
  JSON.stringify({
    version: 1,
    zone: "+02:00",
    taxes: [
      { from: ["Standard"], until: calendar.day(change + 1), code: "VAT15", device: 1, percent: "15" },
      { from: ["Standard"], since: calendar.day(change), code: "VAT155", device: 515, percent: "15.5" },
      { from: ["Frozen"], code: "FROZEN", device: 1, percent: "15" },
      { from: ["Zero"], code: "ZERO", device: 2, percent: "0" },
      { from: ["Exempt"], code: "EXEMPT", device: 3, percent: null },
      { from: ["Gone"], code: "GONE", device: 99, percent: "15" }
    ],
    currencies: [
      { code: "USD", device: "USD" },
      { code: "ZAR", device: "ZAR" },
      { code: "BTC", device: "XBT" },
      { code: "JPY", device: "JPY" }
    ]
  })

const engine = Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(
  Layer.provideMerge(SqliteStore.layer({ filename: ":memory:" })),
  Layer.merge(SqliteStaging.layerMemory),
  Layer.merge(UndiciHttpClient.layer())
)

/**
 * Code with which preflight refuses a figure with more places than its currency or the device
 * permits; the device reports this as text.
 */
const precision = "PRECISION_EXCEEDED"

const isSaid = (code: string, marks: string): boolean =>
  code === precision ? /has more than \d places/.test(marks) : marks.includes(code)

type Generated = ReturnType<typeof batch>[number]

/**
 * Changes some documents to a currency without a smaller unit, half of them with whole amounts, and
 * gives a few unit prices too many places.
 */
const withPlaces = (random: ReturnType<typeof randomness>, made: Generated): Generated => {
  const { chance, int } = random
  const { invoice } = made
  if (invoice.kind === "invoice" && chance(0.05)) {
    const whole = () => BigDecimal.make(BigInt(int(1, 9000)), 0)
    const lines = invoice.lines.map(({ description, productCode }) => ({
      ...(description !== undefined && { description }),
      ...(productCode !== undefined && { productCode }),
      quantity: BigDecimal.make(1n, 0),
      unitPrice: whole(),
      taxes: [{ code: "Zero" }]
    }))
    return { ...made, invoice: { ...invoice, currency: "JPY", totals: {}, ...(chance(0.5) && { lines }) } }
  }
  if (!chance(0.02)) return made
  const lines = invoice.lines.map((line) => ({
    ...line,
    unitPrice: BigDecimal.make(BigInt(int(10_000_000, 99_999_999)), 7)
  }))
  return { ...made, invoice: { ...invoice, lines, totals: {} } }
}

/**
 * Runs one world: a device and two imports of `size` documents each, the second crediting the
 * first.
 */
export const world = (seed: number, size: number, counts: Counts) =>
  Effect.gen(function* () {
    const random = randomness(seed)
    const now = DateTime.setZone(yield* DateTime.now, zone)
    const calendar: Calendar = {
      day: (daysAgo) => CivilDate.of(DateTime.subtract(now, { days: daysAgo })),
      instant: (daysAgo, second) => CivilDate.at(CivilDate.of(DateTime.subtract(now, { days: daysAgo })), second, zone)
    }
    const book = yield* BookFile.load("generated.book.json", bookText(calendar))
    const sandbox = yield* Sandbox.make({
      processingDelayMillis: 0,
      accounts: [
        {
          key: "key",
          name: "main",
          device: 1001,
          taxMappings: book.taxes.map(({ code, device }) => ({ taxCode: code, destinationTaxId: device })),
          currencyMappings: book.currencies.map(({ code, device }) => ({
            sourceCurrency: code,
            destinationCurrency: device
          }))
        }
      ],
      devices: [
        {
          deviceId: 1001,
          ...(random.chance(0.1) && { vatNumber: null }),
          // Preflight cannot check the length of a day (RCPT041), and these days span more than a
          // year.
          taxPayerDayMaxHrs: 100_000,
          supportedCurrencies: ["USD", "ZAR", "JPY"],
          taxes: [
            { taxId: 1, taxPercent: "15", taxName: "Standard", taxValidTill: calendar.day(change + 1) },
            { taxId: 515, taxPercent: "15.5", taxName: "Standard", taxValidFrom: calendar.day(change) },
            { taxId: 2, taxPercent: "0", taxName: "Zero" },
            { taxId: 3, taxName: "Exempt" }
          ]
        }
      ]
    })
    const gateway = yield* Effect.flatMap(
      Gateway.make({
        account: "main",
        baseUrl: sandbox.url,
        application: "test",
        station: "test",
        apiKey: Redacted.make("key")
      }),
      withSubmit
    )
    const fiscalDevice = yield* gateway.fiscalDevice
    const device = DeviceFacts.make(fiscalDevice, yield* gateway.supportedCurrencies, now)
    const destination = Destination.of("main", fiscalDevice, "test")
    const store = yield* SubmissionStore
    const refused: Array<
      Omit<ImportEntry & { readonly _tag: "Refused" }, "source"> & { readonly source: SourceDocument }
    > = []

    // Credit notes that are held, or refused without a receipt: preflight counts their amounts, the
    // device does not.
    const uncounted = new Set<string>()

    const importBatch = Effect.fnUntraced(function* (documents: ReturnType<typeof batch>) {
      const readings = Stream.fromIterable(documents.map(({ invoice }) => invoice))
      const plan = yield* planBatch(readings, { account: "main", book, originals: new Map(), device, destination })
      yield* acceptPlan(plan)
      yield* Session.resume([yield* OpenAccount.open({ account: "main", gateway, firstLook: "1 millis" })])
      counts.documents += documents.length
      const sources = new Map(documents.map(({ invoice }) => [invoice.id, invoice]))
      for (const entry of yield* Stream.runCollect(plan.entries)) {
        const source = sources.get(entry.source.id)!
        if (entry._tag === "Refused") refused.push({ ...entry, source })
        else if (entry._tag === "Planned" && entry.planned.held !== null) {
          counts.held++
          uncounted.add(source.originals[0]?.value ?? "")
        }
      }
    })
    const places = randomness(seed + 1_000_000)
    const placed = (made: ReturnType<typeof batch>) => made.map((one) => withPlaces(places, one))
    const first = placed(batch(random, size, "A", { from: 430, to: 60 }, [], calendar))
    yield* importBatch(first)
    // The second import is dated after the first, because otherwise every document would be late.
    const marked = Option.map(Mark.ofLane(yield* store.ledger.mark(destination.lane)), ({ at }) =>
      Math.floor(DateTime.toEpochMillis(now) / 86_400_000 - DateTime.toEpochMillis(at) / 86_400_000)
    )
    yield* importBatch(
      placed(
        batch(random, size, "B", { from: Math.max(Option.getOrElse(marked, () => 50) - 1, 1), to: 1 }, first, calendar)
      )
    )

    const submissions = yield* store.list({ limit: 10_000 })
    counts.clean += submissions.filter(({ state }) => state === "Fiscalised").length
    for (const { number, state, text } of submissions) {
      if (state !== "Fiscalised" && state !== "Held")
        counts.problems.push(`seed ${seed}: ${number} is ${state}: ${text ?? ""}`)
    }
    for (const { documentNumber, marks } of yield* sandbox.control.coloured) {
      counts.problems.push(
        `seed ${seed}: ${documentNumber} passed and was marked ${marks.map(({ code }) => code).join(", ")}`
      )
    }

    for (const { document, findings, source } of refused) {
      const original = source.originals[0]?.value ?? ""
      const codes = new Set(
        findings.flatMap(({ code }) => (/^RCPT\d+$/.test(code) || code === precision ? [code] : []))
      )
      // the plan has no document if the translation is not complete, such as that of a note alone
      const stated = document === null ? translate(source, book).translated?.document : WrittenDocument.read(document)
      if (codes.size === 0 || stated === undefined || source.date === undefined) {
        counts.otherwise++
        uncounted.add(original)
        continue
      }
      const date = typeof source.date === "string" ? CivilDate.at(source.date, 43_200, zone) : source.date
      const requestId = yield* gateway.submit(stamp(asStated(source, stated), date, "first"))
      const [outcome] = yield* gateway.status([requestId])
      const receipt = (yield* sandbox.control.receipts).find((receipt) => receipt.requestId === requestId)
      const marks =
        outcome?._tag === "Rejected" ? outcome.error : (receipt?.marks ?? []).map(({ code }) => code).join(", ")
      if (receipt === undefined) uncounted.add(original)
      for (const code of codes) {
        if (isSaid(code, marks)) counts.confirmed.set(code, (counts.confirmed.get(code) ?? 0) + 1)
        else if (isHidden(code, marks) || (code === "RCPT035" && uncounted.has(original))) counts.hidden++
        else
          counts.problems.push(
            `seed ${seed}: ${source.number} was refused under ${code}, the device says ${marks || "nothing"}`
          )
      }
    }
  }).pipe(Effect.scoped, Effect.provide(engine))

/**
 * Returns true if the device cannot find the code because of a worse one. A document that the
 * gateway fails has no receipt. A note without its original cannot be compared. A tax that the
 * device does not have has no percent.
 */
const isHidden = (code: string, marks: string): boolean =>
  /^RCPT01[07]/.test(marks) ||
  isSaid(precision, marks) ||
  (/^RCPT03[356]|^RCPT042/.test(code) && marks.includes("RCPT032")) ||
  (code === "RCPT021" && marks.includes("RCPT025"))

/**
 * Returns the note with the original that its source names: preflight does not know the original,
 * and omits it.
 */
const asStated = (source: SourceDocument, document: UndatedDocument): UndatedDocument => {
  const [original] = source.originals
  return document.kind === "credit-note" && document.payload.originalInvoiceId === null && original !== undefined
    ? { kind: "credit-note", payload: { ...document.payload, originalInvoiceId: InvoiceId.make(original.value) } }
    : document
}

export const noCounts = (): Counts => ({
  documents: 0,
  clean: 0,
  held: 0,
  confirmed: new Map(),
  hidden: 0,
  otherwise: 0,
  problems: []
})

/** Returns the counts as readable text. */
export const report = ({ clean, confirmed, documents, held, hidden, otherwise, problems }: Counts): string =>
  [
    `${documents} documents: ${clean} passed and fiscalised without a mark, ${held} held, ${otherwise} refused for other reasons than the device's rules`,
    `refused under a code of the device and confirmed by it: ${[...confirmed]
      .toSorted()
      .map(([code, count]) => `${code} ${count}`)
      .join(", ")}`,
    `further codes of such documents that the device could not find behind a worse one: ${hidden}`,
    ...problems.slice(0, 20),
    `${problems.length} problems`
  ].join("\n")
