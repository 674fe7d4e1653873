/**
 * Fiscal invoicing gateway in the test's process: without sockets, with a virtual clock and faults
 * by name.
 */
import type { TestGateway, TestGatewayOptions } from "./Gateway.ts"

export type { FaultArguments, FaultFields, FaultName, FaultOptions, Json, Operation, Stage } from "./Fault.ts"
export type { TestGateway, TestGatewayOptions, Webhook } from "./Gateway.ts"
export type { Delivery, Receipt, TestDevice } from "./Receipt.ts"

/**
 * Starts a gateway in this process. Opens no port, writes nothing to disk, and waits take no real
 * time. Fails with an Error if the book is not valid.
 */
export const testGateway = async (options: TestGatewayOptions): Promise<TestGateway> =>
  (await import("./internal/testGateway.ts")).testGateway(options)
