import { BookFile, type MappingBook } from "@fiscal-connector/core/book"
import { BookFiles } from "@fiscal-connector/core/host/import"
import { Money } from "@fiscal-connector/core/adapter"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as BookConfig from "@fiscal-connector/sandbox/BookConfig"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import * as Channel from "@fiscal-connector/sandbox/webhook/Channel"
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { FaultName, FaultOptions } from "../Fault.ts"
import { specOf } from "./faultSpec.ts"
import type { Delivery, Receipt, TestDevice } from "../Receipt.ts"
import { type Side, VirtualClock } from "../VirtualClock.ts"
import * as dispatcher from "./dispatcher.ts"

/** Credentials of the account. Not secret, because they never leave the process. */
export const credentials = {
  application: "test-application",
  station: "test-station",
  apiKey: "test-key",
  secret: "test-secret"
}

export const baseUrl = "https://gateway.test"

/** Time from acceptance to the outcome (STAT-7), in milliseconds. */
const processingMillis = 2000

export interface Options {
  /** Path of the mapping book, or the book's content as an object (docs/mapping-book.md). */
  readonly book: string | object
  readonly now?: Date
  readonly device?: TestDevice
}

export type PostWebhook = (
  body: Uint8Array,
  headers: Readonly<Record<string, string>>
) => Promise<{ readonly status: number }>

export const effectClock = (clock: VirtualClock, side: Side): Clock.Clock => {
  const millis = () => clock.now().getTime()
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => Effect.promise((signal) => clock.sleep(Duration.toMillis(duration), signal, side))
  }
}

const files = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer)

const entriesOf = (book: MappingBook.MappingBook): BookConfig.BookEntries => ({
  zone: DateTime.zoneToString(book.zone),
  taxes: book.taxes.map(({ percent, ...tax }) => ({ ...tax, percent: percent && Money.formatPlain(percent) })),
  currencies: book.currencies
})

const receiptOf = (receipt: IssuedReceipt): Receipt => ({
  kind: receipt.kind,
  id: receipt.documentId,
  number: receipt.documentNumber,
  date: new Date(receipt.epochSeconds * 1000),
  currency: receipt.currency,
  total: Money.formatAmount(receipt.total),
  taxes: receipt.groups.map(({ gross, net, tax, taxId, taxPercent }) => ({
    device: taxId,
    percent: taxPercent && BigDecimal.format(taxPercent),
    net: Money.formatAmount(net),
    tax: Money.formatAmount(tax),
    gross: Money.formatAmount(gross)
  })),
  verificationCode: receipt.qrData.VerificationCode ?? "",
  qrCodeUrl: receipt.qrData.QrCodeUrl ?? "",
  marks: receipt.marks
})

export const make = Effect.fnUntraced(function* ({ book: given, device, now = new Date() }: Options) {
  const book = yield* typeof given === "string"
    ? Effect.provide(BookFiles.open(given), files)
    : BookFile.load("the book of the test gateway", JSON.stringify(given))
  const clock = new VirtualClock(now)
  const ownClock = effectClock(clock, "gateway")
  const entries = entriesOf(book)
  let receiver: PostWebhook | undefined
  const channel: Channel.Post = ({ body, headers }) =>
    receiver === undefined
      ? Effect.fail("unreachable")
      : Effect.map(
          Effect.tryPromise({
            try: () => clock.delivering(() => receiver!(body, headers)),
            catch: () => "unreachable" as const
          }),
          ({ status }) => ({ status, cookies: "none" })
        )
  const sandbox = yield* Sandbox.makeInProcess({
    processingDelayMillis: processingMillis,
    deliveries: "on-demand",
    accounts: [
      {
        name: "test",
        key: credentials.apiKey,
        secret: credentials.secret,
        application: credentials.application,
        station: credentials.station,
        device: 1001,
        webhook: { url: `${baseUrl}/webhook` },
        ...BookConfig.mappings(entries)
      }
    ],
    devices: [{ deviceId: 1001, ...BookConfig.device(entries), ...device }]
  }).pipe(Effect.provideService(Channel.Channel, channel), Effect.provideService(Clock.Clock, ownClock))
  const { control, webhooks } = sandbox
  const onClock = <A, E>(effect: Effect.Effect<A, E>) => Effect.provideService(effect, Clock.Clock, ownClock)

  const deliver = Effect.fnUntraced(function* (webhook: PostWebhook) {
    receiver = webhook
    const accepted = yield* control.accepted
    if (accepted.some(({ state }) => state === "pending")) yield* Effect.promise(() => clock.advance(processingMillis))
    const before = (yield* webhooks.deliveries).length
    yield* webhooks.deliver
    const tries = yield* webhooks.deliveries
    return tries.slice(before).map(({ answer, documents, problem }): Delivery => ({ documents, answer, problem }))
  }, onClock)

  return {
    book,
    clock,
    dispatcher: dispatcher.make(sandbox.answer, (serving, signal) =>
      clock.serving(() => Effect.runPromiseExit(onClock(serving), { signal }))
    ),
    deliver,
    fail: (name: FaultName, options?: FaultOptions) => Effect.asVoid(control.addFault(specOf(name, options))),
    recover: control.clearFaults,
    receipts: Effect.map(onClock(control.receipts), (receipts) => receipts.map(receiptOf)),
    closeDay: onClock(control.closeDay())
  }
})
