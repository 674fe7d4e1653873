/**
 * Every operation, typed, for one account. Only submitting needs a permission
 * (account/OpenAccount).
 */
import { Context, Effect, Layer, type Option, Result } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as SubmitCapability from "./internal/SubmitCapability.ts"
import * as Answer from "./exchange/Answer.ts"
import * as Calls from "./exchange/Calls.ts"
import * as CurrencyMapping from "./operation/CurrencyMapping.ts"
import * as FiscalDevice from "./operation/FiscalDevice.ts"
import { type ConfigError, type GatewayConfig, withDefaults } from "./contract/GatewayConfig.ts"
import type { GatewayError } from "./contract/GatewayError.ts"
import * as Pdf from "./operation/Pdf.ts"
import * as Profile from "./operation/Profile.ts"
import type * as ServerClock from "./exchange/ServerClock.ts"
import * as Status from "./operation/Status.ts"
import * as Submit from "./operation/Submit.ts"
import * as Subscription from "./operation/Subscription.ts"
import * as TaxMapping from "./operation/TaxMapping.ts"
import * as ZReport from "./operation/ZReport.ts"

/** Every operation of the gateway except submitting, which needs a permission. */
export interface GatewayOperations
  extends
    Status.StatusOperations,
    Pdf.PdfOperations,
    TaxMapping.TaxMappingOperations,
    CurrencyMapping.CurrencyMappingOperations,
    ZReport.ZReportOperations {
  readonly profile: Effect.Effect<Profile.GatewayProfile, GatewayError>
  /** Fails with NotFound if no device is attached to the account. */
  readonly fiscalDevice: Effect.Effect<FiscalDevice.FiscalDevice, GatewayError>
  /** Fails with NotFound if no device is attached or the subscription does not exist. */
  readonly subscription: Effect.Effect<Subscription.Subscription, GatewayError>
  /** Calls `POST /test` with `{}` (OP-8: undocumented). Returns the bounded text of the answer. */
  readonly test: Effect.Effect<string, GatewayError>
  /**
   * The gateway's time according to the last answer to any operation. Empty before the first
   * answer.
   */
  readonly clock: Effect.Effect<Option.Option<ServerClock.ClockSample>>
  readonly misfits: Effect.Effect<ReadonlyArray<Calls.AnswerMisfits>>
}

/** The gateway of one account as a service. */
export class Gateway extends Context.Service<Gateway, GatewayOperations>()("@fiscal-connector/core/gateway/Gateway") {}

/**
 * Makes the operations of one account over the HttpClient in the context. Only core/node's client
 * can distinguish "not sent" from "unknown"; with any other client a failed submission is always an
 * UnknownOutcome. Do not pass a client that retries. Fails with every problem of the configuration
 * at once.
 */
export const make = (config: GatewayConfig): Effect.Effect<GatewayOperations, ConfigError, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const calls = Calls.make(yield* Effect.fromResult(withDefaults(config)), yield* HttpClient.HttpClient)
    const operations: GatewayOperations = {
      ...Profile.operations(calls),
      ...FiscalDevice.operations(calls),
      ...Subscription.operations(calls),
      ...Status.operations(calls),
      ...Pdf.operations(calls),
      ...TaxMapping.operations(calls),
      ...CurrencyMapping.operations(calls),
      ...ZReport.operations(calls),
      test: calls.read({ operation: "test", body: "{}" }, (answer) =>
        Result.succeed(Calls.fitting(Answer.excerpt(answer)))
      ),
      clock: calls.clock,
      misfits: calls.misfits
    }
    return SubmitCapability.keep(operations, Submit.operations(calls).submit)
  })

/** Provides the operations of one account as the Gateway service. */
export const layer = (config: GatewayConfig): Layer.Layer<Gateway, ConfigError, HttpClient.HttpClient> =>
  Layer.effect(Gateway, make(config))
