/**
 * Sandboxes for tests. Under `it.effect`, the machine's clock does not move, and neither does the
 * sandbox's.
 */
import * as Effect from "effect/Effect"
import { type Body, told } from "../../core/test/It.ts"
import * as Sandbox from "../src/Sandbox.ts"
import type { Input } from "../src/SandboxConfig.ts"

/** Credentials of the default account, with USD and the codes VAT15, VAT0 and EXEMPT mapped. */
export const account = {
  key: "sandbox-key",
  secret: "sandbox-secret",
  application: "sandbox-application",
  station: "sandbox-station",
  name: "main",
  device: 1001,
  taxMappings: [
    { taxCode: "VAT15", destinationTaxId: 1 },
    { taxCode: "VAT0", destinationTaxId: 2 },
    { taxCode: "EXEMPT", destinationTaxId: 3 }
  ],
  currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
}

/** Starts a sandbox in June 2025 that processes without delay. */
export const start = (change: Input = {}) =>
  Sandbox.make({ accounts: [account], processingDelayMillis: 0, startAt: "2025-06-02T12:00:00Z", ...change })

/** Runs a test body with a sandbox. */
export const withSandbox = <R, A>(use: Body<[Sandbox.SandboxShape], R, A>, change: Input = {}) =>
  Effect.scoped(Effect.flatMap(start(change), (sandbox) => told(use, sandbox)))
