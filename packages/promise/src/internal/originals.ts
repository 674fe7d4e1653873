import type { AccountFacts } from "@fiscal-connector/core/host/account"
import { Originals } from "@fiscal-connector/core/session"
import type { MappingBook } from "@fiscal-connector/core/book"
import { Effect } from "effect"
import type { OriginalsReport } from "../FiscalConnector.ts"
import { failing } from "./errorOf.ts"
import type { Handed } from "./handed.ts"
import { problemOf } from "./problemOf.ts"

export const register = Effect.fnUntraced(function* (
  { destination }: Pick<AccountFacts.AccountFacts, "destination">,
  book: MappingBook.MappingBook,
  { failed, readings }: Handed
) {
  const { account, taxpayer } = destination
  const { findings, ...report } = yield* Originals.register(readings, { account, taxpayer, book }).pipe(
    Effect.catchTags({
      AdapterError: (error) => Effect.fail(failed(error)),
      OtherTaxpayer: (cause) => failing("device_changed", cause.message, { cause })
    })
  )
  return {
    ...report,
    problems: findings.map(({ finding, number }) => ({ number: number ?? null, ...problemOf(finding) }))
  } satisfies OriginalsReport
})
