/** Where the documents of an account go: the device it feeds, and the taxpayer whose numbers they use. */
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import type { Environment, PlannedDocument } from "../submission/PlannedDocument.ts"

/** Where documents of an account go: taxpayer, device and environment. */
export interface Destination extends Pick<PlannedDocument, "account" | "taxpayer" | "lane" | "environment"> {}

/** What the account was pinned to. */
export type Pinned = Pick<Destination, "lane" | "taxpayer">

/**
 * The lane is the environment's device, so that one store may serve a sandbox beside a real device. Where the gateway leaves out the taxpayer's number,
 * the taxpayer stays the one that the account was pinned to with this device: its numbers are one key space for ever (RCPT013).
 */
export const of = (
  account: string,
  {
    currentConfig = null,
    deviceId,
    tin
  }: Pick<FiscalDevice, "deviceId" | "tin"> & Partial<Pick<FiscalDevice, "currentConfig">>,
  environment: Environment,
  pinned: Pinned | null = null
): Destination => {
  const lane = `${environment}/${deviceId}`
  const known = pinned?.lane === lane ? pinned.taxpayer : null
  return { account, taxpayer: tin ?? known ?? currentConfig?.taxPayerTIN ?? `device ${deviceId}`, lane, environment }
}
