/** The gateway for tests of programs in Effect: a Layer of everything that such a program runs on, with a virtual clock. */
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import * as StatusPoller from "@fiscal-connector/core/engine/StatusPoller"
import * as Submitter from "@fiscal-connector/core/engine/Submitter"
import * as Gateway from "@fiscal-connector/core/gateway/Gateway"
import type { Staging } from "@fiscal-connector/core/import/Staging"
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import type { BookError } from "@fiscal-connector/core/mapping/BookFile"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import type { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as WebhookReceiver from "@fiscal-connector/core/webhook/WebhookReceiver"
import type { SandboxError } from "@fiscal-connector/sandbox/SandboxError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type { PlatformError } from "effect/PlatformError"
import * as Redacted from "effect/Redacted"
import type { FaultArguments, FaultName } from "./Fault.ts"
import * as gateways from "./internal/gateway.ts"
import type { Delivery, Receipt } from "./Receipt.ts"

/** Operations of the gateway of a test. `testGateway` of the package's main entry has the same words for promises. */
export interface TestGatewayShape {
  /** The account `test`, ready for `Session.open`. */
  readonly account: AccountSettings
  readonly book: MappingBook
  /** Lets something go wrong: with the next submission, unless the options say with what and how often. Dies where the fault is not valid. */
  fail<Name extends FaultName>(name: Name, ...options: FaultArguments<Name>): Effect.Effect<void>
  /** Takes all faults back. */
  readonly recover: Effect.Effect<void>
  /** Receipts of the device, in order. */
  readonly receipts: Effect.Effect<ReadonlyArray<Receipt>>
  /** Delivers the outcomes that were not delivered yet, after what was accepted has been processed. */
  deliver(webhook: gateways.Post): Effect.Effect<ReadonlyArray<Delivery>>
  /** Lets time pass on the clock of the layer. */
  advance(duration: Duration.Input): Effect.Effect<void>
}

/** The gateway of a test. */
export class TestGateway extends Context.Service<TestGateway, TestGatewayShape>()(
  "@fiscal-connector/testing/TestGateway"
) {}

/** Services of a program that plans, sends and takes deliveries. */
export type Services =
  | TestGateway
  | HttpClient.HttpClient
  | SubmissionStore
  | Submitter.Submitter
  | StatusPoller.StatusPoller
  | Staging
  | WebhookReceiver.WebhookReceiver

const engine = Layer.mergeAll(
  Layer.orDie(Submitter.layer()),
  StatusPoller.layer,
  SqliteStaging.layerMemory,
  WebhookReceiver.layer()
).pipe(Layer.provideMerge(SqliteStore.layer({ filename: ":memory:" })))

/**
 * The gateway with one account on one device, the engine over a store in memory, the client that reaches the gateway, and a clock on which waiting
 * takes no time. Everything is new wherever the layer is built. Fails where the book cannot be read or is not valid.
 */
export const layer = (
  options: gateways.Options
): Layer.Layer<Services, BookError | PlatformError | SandboxError | StoreError> =>
  Layer.unwrap(
    Effect.map(gateways.make(options), (made) => {
      const client = UndiciHttpClient.layer({ dispatcher: made.dispatcher })
      const gateway = Layer.effect(
        TestGateway,
        Effect.gen(function* () {
          const { apiKey, application, secret, station } = gateways.credentials
          const operations = yield* Gateway.make({
            account: "test",
            baseUrl: gateways.baseUrl,
            application,
            station,
            apiKey: Redacted.make(apiKey),
            secret: Redacted.make(secret)
          }).pipe(Effect.orDie)
          return TestGateway.of({
            account: { account: "test", gateway: operations, zone: made.book.zone },
            book: made.book,
            fail: (name, ...[options]) => Effect.orDie(made.fail(name, options)),
            recover: made.recover,
            receipts: made.receipts,
            deliver: made.deliver,
            advance: (duration) => Effect.promise(() => made.clock.advance(Duration.toMillis(duration)))
          })
        })
      )
      return Layer.mergeAll(gateway.pipe(Layer.provideMerge(client)), Layer.fresh(engine)).pipe(
        Layer.provideMerge(Layer.succeed(Clock.Clock)(gateways.effectClock(made.clock, "connector")))
      )
    })
  )
