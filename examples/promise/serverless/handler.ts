/** A serverless function: hands over what it is called with, works as long as it may, and leaves the rest to the next call. */
import { connect, type ConnectOptions, type DocumentInput, type Result } from "@fiscal-connector/promise"

/** What the platform says of a call. */
export interface CallContext {
  getRemainingTimeInMillis(): number
}

/** What is kept back of a call's time, to write down the answer of a request that is on its way. */
const reserve = 5_000

export const handlerFor =
  (options: ConnectOptions) =>
  async (event: { readonly documents: ReadonlyArray<DocumentInput> }, context: CallContext) => {
    await using fiscal = await connect(options)
    await using plan = await fiscal.plan(event.documents)
    await fiscal.submit(plan, { whenLate: "send-rest" })
    // also what an earlier call has left
    const { open } = await fiscal.run({ maxDurationMs: Math.max(1, context.getRemainingTimeInMillis() - reserve) })
    const results: Array<Result> = []
    for await (const result of plan.entries()) results.push(result)
    return { open, results }
  }

export const handler = handlerFor({
  account: process.env["FISCAL_ACCOUNT"] ?? "shop",
  config: process.env["FISCAL_CONFIG"] ?? "accounts.json",
  book: process.env["FISCAL_BOOK"] ?? "shop.book.json",
  // one connection a call is enough; the password is FISCAL_CONNECTOR_STORE_PASSWORD
  store: { postgres: process.env["FISCAL_STORE"] ?? "" }
})
