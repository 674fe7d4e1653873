/**
 * Serverless function: submits the given documents, works for the available time, and leaves the
 * rest to the next call.
 */
import { connect, type ConnectOptions, type DocumentInput, type Result } from "@fiscal-connector/promise"

/** The platform's information about a call. */
export interface CallContext {
  getRemainingTimeInMillis(): number
}

/**
 * Time in milliseconds reserved at the end of a call, to record the answer of a request in
 * progress.
 */
const reserve = 5_000

export const handlerFor =
  (options: ConnectOptions) =>
  async (event: { readonly documents: ReadonlyArray<DocumentInput> }, context: CallContext) => {
    await using fiscal = await connect(options)
    await using plan = await fiscal.plan(event.documents)
    await fiscal.submit(plan, { whenLate: "send-rest" })
    // includes documents left over from an earlier call
    const { open } = await fiscal.run({ maxDurationMs: Math.max(1, context.getRemainingTimeInMillis() - reserve) })
    const results: Array<Result> = []
    for await (const result of plan.entries()) results.push(result)
    return { open, results }
  }

export const handler = handlerFor({
  account: process.env["FISCAL_ACCOUNT"] ?? "shop",
  config: process.env["FISCAL_CONFIG"] ?? "accounts.json",
  book: process.env["FISCAL_BOOK"] ?? "shop.book.json",
  // one connection per call is enough; the password is in FISCAL_CONNECTOR_STORE_PASSWORD
  store: { postgres: process.env["FISCAL_STORE"] ?? "" }
})
