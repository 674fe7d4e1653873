/**
 * Job of the promise package's README, with the connector as a parameter. A deployment connects to
 * the gateway, a test to a test gateway.
 */
import type { FiscalConnector } from "@fiscal-connector/promise"
import { openInvoices, save } from "./shop.ts"

/** Returns true if all sales are fiscalized. */
export const job = async (fiscal: FiscalConnector): Promise<boolean> => {
  const { lanes, ok, problems, results } = await fiscal.sync(await openInvoices())
  for (const result of results) {
    const { because, cancelled, changed, number, problems, status } = result
    if (result.status === "fiscalised") await save(result.id, result.verificationCode, result.qrCodeUrl)
    if (status !== "fiscalised" || changed || cancelled)
      console.error(number, status, because, changed, cancelled, problems)
  }
  for (const { text, retryAt } of lanes) if (text !== null) console.error(text, retryAt)
  console.error(...problems)
  return ok
}
