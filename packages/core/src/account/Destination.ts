/** Where the documents of an account go: the device it feeds, and the taxpayer whose numbers they use. */
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import type { Environment, PlannedDocument } from "../submission/PlannedDocument.ts"

/** Where documents of an account go: taxpayer, device and environment. */
export interface Destination extends Pick<PlannedDocument, "account" | "taxpayer" | "lane" | "environment"> {}

/** The lane is the environment's device, so that one store may serve a sandbox beside a real device. */
export const of = (
  account: string,
  { deviceId, tin }: Pick<FiscalDevice, "deviceId" | "tin">,
  environment: Environment
): Destination => ({
  account,
  taxpayer: tin ?? `device ${deviceId}`,
  lane: `${environment}/${deviceId}`,
  environment
})
