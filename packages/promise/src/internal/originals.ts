/** Registers invoices that were fiscalised elsewhere. */
import type { AccountFacts } from "@fiscal-connector/core/unstable/account/AccountFacts"
import * as Originals from "@fiscal-connector/core/connector/Originals"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Effect, Option } from "effect"
import type { OriginalsReport } from "../FiscalConnector.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { Handed } from "./handed.ts"
import { problemOf } from "./problemOf.ts"

/** Originals are the taxpayer's: another one than the account was used with so far has none of its numbers. */
export const register = (
  { destination }: Pick<AccountFacts, "destination">,
  book: MappingBook,
  { failed, readings }: Handed
) =>
  Effect.gen(function* () {
    const { account, taxpayer } = destination
    const pinned = yield* SubmissionStore.use((store) => store.pinOf(account))
    if (Option.isSome(pinned) && pinned.value.taxpayer !== taxpayer) {
      return yield* Effect.fail(
        new FiscalConnectorError(
          "device_changed",
          `nothing was registered: the account ${account} was used for the taxpayer ${pinned.value.taxpayer}, and its device belongs to ${taxpayer} now`
        )
      )
    }
    const { findings, ...report } = yield* Originals.register(readings, { account, taxpayer, book }).pipe(
      Effect.catchTag("AdapterError", (error) => Effect.fail(failed(error)))
    )
    return {
      ...report,
      problems: findings.map(({ finding, number }) => ({ number: number ?? null, ...problemOf(finding) }))
    } satisfies OriginalsReport
  })
