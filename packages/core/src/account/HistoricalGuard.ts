/**
 * A historical batch is sent behind the last close of a fiscal day
 * (docs/architecture.md#receipt-dates).
 */
import { format, type Instant } from "../document/Instant.ts"
import type { AssumptionSwitches } from "../gateway/contract/AssumptionSwitches.ts"
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import { hasPassed } from "../preflight/DeviceFacts.ts"

export type HistoricalPassage =
  | { readonly _tag: "Permitted"; readonly warning: string }
  | { readonly _tag: "Refused"; readonly text: string; readonly fix: string }

const warning = `A historical batch is sent behind the close of a fiscal day: its receipts are marked RCPT014 and RCPT030 against the last Z-report,
and the next close of the day is expected to fail until an employee of the authority has looked at it. It is a one-shot operation.`

/**
 * Checks the device's upload permission. Assumption HIST-1: AllowCsvUpload, until ExpireCsvUpload,
 * also permits back-dated submissions. `now` is in the zone of date-times without an offset
 * (TIME-1).
 */
export const check = (
  {
    allowCsvUpload,
    deviceId,
    expireCsvUpload,
    misfits = []
  }: Pick<FiscalDevice, "allowCsvUpload" | "deviceId" | "expireCsvUpload" | "misfits">,
  now: Instant,
  permission: AssumptionSwitches["HIST-1"]
): HistoricalPassage => {
  const refused = (text: string): HistoricalPassage => ({
    _tag: "Refused",
    text,
    fix: "Request the upload permission in the gateway's portal, then import the batch again."
  })
  if (permission === "refused")
    return refused("the account's switch HIST-1 says that back-dated submissions are not permitted")
  const misfit = misfits.find(({ field }) => field === "AllowCsvUpload" || field === "ExpireCsvUpload")
  if (misfit !== undefined) {
    return refused(`the upload permission of the device ${deviceId} cannot be read (${misfit.field}: ${misfit.text})`)
  }
  if (allowCsvUpload !== true) return refused(`the device ${deviceId} has no upload permission (AllowCsvUpload)`)
  if (expireCsvUpload === null || !hasPassed(expireCsvUpload, now)) return { _tag: "Permitted", warning }
  const until = typeof expireCsvUpload === "string" ? expireCsvUpload : format(expireCsvUpload)
  return refused(`the upload permission of the device ${deviceId} ended on ${until}`)
}
