/** Registers invoices that were fiscalized elsewhere. */
import type { AccountFacts } from "@fiscal-connector/core/unstable/account/AccountFacts"
import * as Originals from "@fiscal-connector/core/connector/Originals"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import { Effect } from "effect"
import type { OriginalsReport } from "../FiscalConnector.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { Handed } from "./handed.ts"
import { problemOf } from "./problemOf.ts"

export const register = Effect.fnUntraced(function* (
  { destination }: Pick<AccountFacts, "destination">,
  book: MappingBook,
  { failed, readings }: Handed
) {
  const { account, taxpayer } = destination
  const { findings, ...report } = yield* Originals.register(readings, { account, taxpayer, book }).pipe(
    Effect.catchTags({
      AdapterError: (error) => Effect.fail(failed(error)),
      OtherTaxpayer: (cause) => Effect.fail(new FiscalConnectorError("device_changed", cause.message, { cause }))
    })
  )
  return {
    ...report,
    problems: findings.map(({ finding, number }) => ({ number: number ?? null, ...problemOf(finding) }))
  } satisfies OriginalsReport
})
