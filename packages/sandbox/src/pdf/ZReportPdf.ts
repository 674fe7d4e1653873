import type * as Effect from "effect/Effect"
import type { ZReport } from "../day/FiscalDay.ts"
import * as Decimal from "../wire/Decimal.ts"
import * as Zone from "../wire/Zone.ts"
import * as Page from "./Page.ts"

export const render = (report: ZReport, zone: Zone.Zone): Effect.Effect<Uint8Array> =>
  Page.render(`Z-report of fiscal day ${report.fiscalDay}`, [
    `Opened: ${Zone.civil(zone, report.openedAt)}`,
    `Closed: ${Zone.civil(zone, report.closedAt)}`,
    report.message,
    "",
    ...report.counters.map(
      ({ amount, counterType, currency, paymentMethod, taxId }) =>
        `${counterType}  ${taxId === null ? (paymentMethod ?? "") : `tax ${taxId}`}  ${Decimal.toText(amount)} ${currency}`
    )
  ])
