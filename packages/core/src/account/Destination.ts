/** Device that the account feeds, and taxpayer whose document numbers are used. */
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import type { Pin } from "../submission/Pin.ts"
import type { Environment, PlannedDocument } from "../submission/PlannedDocument.ts"

/** Taxpayer, device and environment of an account's documents. */
export interface Destination extends Pick<PlannedDocument, "account" | "taxpayer" | "lane" | "environment"> {}

/** Lane and taxpayer that the account was pinned to. */
export type Pinned = Pick<Destination, "lane" | "taxpayer">

/**
 * Returns the destination of an account. The lane contains the environment, so that one store can
 * serve a sandbox beside a real device. If the gateway leaves out the taxpayer's number, the
 * taxpayer stays the known one of the account's pin with this device: all document numbers of a
 * taxpayer share one key space forever (RCPT013).
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

/** Returns the pin with the device that the account has now. Null if it is the pinned device. */
export const changed = (pin: Pin, device: FiscalDevice): Pin | null => {
  const now = { ...pin, ...of(pin.account, device, pin.environment, pin), serial: device.serialNo }
  return now.lane === pin.lane && now.taxpayer === pin.taxpayer && now.serial === pin.serial ? null : now
}
