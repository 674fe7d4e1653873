/** Test gateway for Effect programs: a Layer of all required services, with a virtual clock. */
import type { AccountSettings } from "@fiscal-connector/core/session"
import { StatusPoller, Submitter, WebhookReceiver } from "@fiscal-connector/core/worker"
import { Gateway } from "@fiscal-connector/core/gateway"
import type { Staging, StoreError, SubmissionStore } from "@fiscal-connector/core/store"
import type { BookFile, MappingBook } from "@fiscal-connector/core/book"
import { SqliteStaging, SqliteStore, UndiciHttpClient } from "@fiscal-connector/core/node"
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
  readonly account: AccountSettings.AccountSettings
  readonly book: MappingBook.MappingBook
  /**
   * Injects a fault into the next submission, or into the requests that the options name. Dies if
   * the fault is not valid.
   */
  fail<Name extends FaultName>(name: Name, ...options: FaultArguments<Name>): Effect.Effect<void>
  readonly recover: Effect.Effect<void>
  readonly receipts: Effect.Effect<ReadonlyArray<Receipt>>
  /** Delivers the pending outcomes, after accepted documents have been processed. */
  deliver(webhook: gateways.PostWebhook): Effect.Effect<ReadonlyArray<Delivery>>
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
  | SubmissionStore.SubmissionStore
  | Submitter.Submitter
  | StatusPoller.StatusPoller
  | Staging.Staging
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
): Layer.Layer<Services, BookFile.BookError | PlatformError | SandboxError | StoreError.StoreError> =>
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
