/** A fiscal invoicing gateway in a test's own process: no socket, a virtual clock, faults by name. */
import type { TestGateway, TestGatewayOptions } from "./Gateway.ts"

export type { FaultArguments, FaultFields, FaultName, FaultOptions, Operation, Stage } from "./Fault.ts"
export type { TestGateway, TestGatewayOptions, Webhook } from "./Gateway.ts"
export type { Delivery, Receipt, TestDevice } from "./Receipt.ts"

/**
 * Starts a gateway in this process. Nothing listens, nothing is written to disk, and no time is waited for. Fails with an Error where the book is
 * not valid.
 */
export const testGateway = async (options: TestGatewayOptions): Promise<TestGateway> =>
  (await import("./internal/testGateway.ts")).testGateway(options)
