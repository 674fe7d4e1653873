/** Test gateway for Effect programs: a Layer of all required services, with a virtual clock. */
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

/**
 * Operations of the test gateway. `testGateway` of the package's main entry offers the same
 * operations as promises.
 */
export interface TestGatewayShape {
  /** Account `test`, ready for `Session.open`. */
  readonly account: AccountSettings
  readonly book: MappingBook
  /**
   * Injects a fault into the next submission, or into the requests that the options name. Dies if
   * the fault is not valid.
   */
  fail<Name extends FaultName>(name: Name, ...options: FaultArguments<Name>): Effect.Effect<void>
  /** Removes all faults. */
  readonly recover: Effect.Effect<void>
  /** Receipts of the device, in order. */
  readonly receipts: Effect.Effect<ReadonlyArray<Receipt>>
  /** Delivers the pending outcomes, after accepted documents have been processed. */
  deliver(webhook: gateways.Post): Effect.Effect<ReadonlyArray<Delivery>>
  /** Advances the clock of the layer. */
  advance(duration: Duration.Input): Effect.Effect<void>
}

/** Service of the test gateway. */
export class TestGateway extends Context.Service<TestGateway, TestGatewayShape>()(
  "@fiscal-connector/testing/TestGateway"
) {}

/** Services for a program that plans, sends and receives deliveries. */
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
 * Builds the gateway with one account on one device, the engine with a store in memory, an HTTP
 * client for the gateway, and a clock on which waits take no time. Each build is independent. Fails
 * if the book is unreadable or not valid.
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
