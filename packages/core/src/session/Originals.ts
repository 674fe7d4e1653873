/**
 * Invoices that were fiscalized elsewhere, so that credit notes can name them (`originals import`).
 */
import { Data, Effect, Option, Stream } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import { zero } from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import { mapConcat } from "../source/MapConcat.ts"
import * as Readings from "../source/Readings.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { RegisteredOriginal } from "../submission/ledger/Original.ts"
import type { Registration } from "../submission/PlanResult.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import { translate } from "../translate/translate.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import type { Translated } from "../translate/Translated.ts"

/** Owner of the originals, and the mapping book for reading them. */
export interface OriginalsRequest {
  readonly account: string
  readonly taxpayer: string
  readonly book: MappingBook
}

/**
 * The account was used for another taxpayer, so its numbers do not belong to this taxpayer. Nothing
 * was registered.
 */
export class OtherTaxpayer extends Data.TaggedError("OtherTaxpayer")<{
  readonly account: string
  readonly was: string
  readonly is: string
}> {
  override get message() {
    return `nothing was registered: the account ${this.account} was used for the taxpayer ${this.was}, and its device belongs to ${this.is} now`
  }
}

/** Originals belong to the taxpayer of the account. */
const sameTaxpayer = ({
  account,
  taxpayer
}: Pick<OriginalsRequest, "account" | "taxpayer">): Effect.Effect<void, OtherTaxpayer | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const pinned = yield* SubmissionStore.use((store) => store.pinOf(account))
    if (Option.isNone(pinned) || pinned.value.taxpayer === taxpayer) return
    return yield* new OtherTaxpayer({ account, was: pinned.value.taxpayer, is: taxpayer })
  })

/** Result of registering invoices. */
export interface OriginalsReport {
  readonly registered: number
  readonly known: number
  readonly held: ReadonlyArray<string>
  /** Numbers registered before with another day, currency or total. Nothing was changed. */
  readonly differing: ReadonlyArray<string>
  /** Numbers that have a receipt of this store: a conflict of each document. */
  readonly fiscalisedHere: ReadonlyArray<string>
  /** Numbers that belong to another document of the taxpayer. */
  readonly taken: ReadonlyArray<string>
  readonly passedOver: number
  /**
   * Reasons why an invoice could not be registered. `number` is undefined for rows that did not
   * become a document.
   */
  readonly findings: ReadonlyArray<{ readonly number: string | undefined; readonly finding: Finding.Finding }>
}

const perTransaction = 200

/**
 * Reads an export like an import, and registers its invoices with number, day, currency, total and
 * tax codes. Sends nothing. The invoices are registered on the operator's statement, because the
 * gateway offers no way to request them. Fails with `OtherTaxpayer` if the account was used for
 * another taxpayer.
 */
export const register = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>,
  request: OriginalsRequest
): Effect.Effect<OriginalsReport, AdapterError | OtherTaxpayer | StoreError, R | SubmissionStore> =>
  Effect.gen(function* () {
    yield* sameTaxpayer(request)
    const store = yield* SubmissionStore
    const findings: Array<OriginalsReport["findings"][number]> = []
    const numbers: Record<Registration, Array<string>> = {
      registered: [],
      held: [],
      known: [],
      differs: [],
      "fiscalised-here": [],
      "number-taken": []
    }
    let passedOver = 0
    const examine = (reading: Reading): ReadonlyArray<RegisteredOriginal> => {
      if (reading._tag === "Finding") findings.push({ number: undefined, finding: reading })
      if (reading._tag !== "SourceDocument" || reading.kind !== "invoice") {
        passedOver += reading._tag === "Finding" ? 0 : 1
        return []
      }
      const translation = translate(reading, request.book)
      // Product codes and buyers are not registered, so a default in their place is acceptable.
      const errors = translation.findings.filter(
        (finding) => Finding.refuses(finding) && finding.code !== TranslateFinding.DEFAULT_OVERRULES.code
      )
      findings.push(...errors.map((finding) => ({ number: reading.number, finding })))
      return translation.translated === undefined || errors.length > 0 ? [] : original(translation.translated, request)
    }
    const registering = Readings.entering(readings).pipe(
      Stream.mapEffect(({ reading }) =>
        reading._tag === "SourceDocument" ? Readings.using(reading, examine) : Effect.sync(() => examine(reading))
      ),
      mapConcat((originals) => originals),
      Stream.grouped(perTransaction),
      Stream.mapEffect((originals) =>
        Effect.map(store.registerOriginals(originals), (results) => ({ originals, results }))
      )
    )
    yield* Stream.runForEach(registering, ({ originals, results }) =>
      Effect.sync(() => {
        for (const [i, result] of results.entries()) numbers[result].push(originals[i]!.number)
      })
    )
    return {
      registered: numbers.registered.length + numbers.held.length,
      known: numbers.known.length,
      held: numbers.held,
      differing: numbers.differs,
      fiscalisedHere: numbers["fiscalised-here"],
      taken: numbers["number-taken"],
      passedOver,
      findings
    }
  })

const original = (
  { completeness, document, taxDate, taxes }: Translated,
  { account, book, taxpayer }: OriginalsRequest
): ReadonlyArray<RegisteredOriginal> => {
  if (completeness === "partial" || document.kind === "credit-note") return []
  const { currencyCode, invoiceId, invoiceNumber, total } = document.payload
  return [
    {
      account,
      taxpayer,
      invoiceId,
      number: invoiceNumber,
      date: CivilDate.at(taxDate, 0, book.zone),
      currency: currencyCode,
      total,
      taxCodes: [...taxes.keys()],
      credited: zero
    }
  ]
}
