/** Statements of an export about its documents, from one plan. Reads only. */
import { Effect, Option, Stream } from "effect"
import * as AccountFacts from "../account/AccountFacts.ts"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as Account from "../day/Account.ts"
import type * as FiscalDays from "../day/FiscalDays.ts"
import type { SourceStatement } from "../day/Reconciliation.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import * as NumberFold from "../document/NumberFold.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import type { ImportEntry } from "../import/ImportEntry.ts"
import * as ImportedDocument from "../import/ImportedDocument.ts"
import type { ImportPlan } from "../import/ImportPlan.ts"
import { meaningOf } from "../import/StoreComparison.ts"
import type { CodeMeaning } from "../submission/ledger/Original.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionQueries } from "../submission/SubmissionQuery.ts"
import { changesInWords } from "./Credit.ts"
import * as Planning from "./Planning.ts"

interface NamedStatement {
  readonly kind: DocumentKind
  readonly id: string
  readonly number: string
}

const keyOf = ({ id, kind, number }: NamedStatement): string => `${kind} ${id || number}`
const foldOf = ({ kind, number }: NamedStatement): string => `${kind} ${NumberFold.of(number)}`

export interface OnlyStated extends Omit<Account.AccountDocument, "dated"> {
  readonly id: string
  readonly dated: CivilDate | null
  readonly text: string
}

export interface SourceRead {
  readonly _tag: "Read"
  readonly plan: Pick<ImportPlan, "entries" | "skipped" | "book">
  readonly name: string
  /** Documents that a live source does not answer for: not possible to compare, and never gone. */
  readonly unanswered?: ReadonlyArray<Omit<NamedStatement, "kind"> & { readonly kind: DocumentKind | null }>
}

const notRead = ({ message }: Error) => Effect.succeed({ _tag: "NotRead", text: message } as const)

/**
 * Reads what a source states now. A gateway that does not answer, or refuses the plan, leaves the
 * source unread: its leg is not possible, and the others are compared.
 */
export const sourceOf = <R>(
  settings: AccountSettings,
  { book, readings }: Pick<Planning.ImportOrder<R>, "book" | "readings">,
  name: string
) =>
  Effect.gen(function* () {
    const { notBefore } = settings
    const facts = yield* AccountFacts.read(settings, book.zone)
    const own = { ...facts, ...(notBefore !== undefined && { notBefore }) }
    const { plan } = yield* Planning.plan(own, { book, readings })
    return { _tag: "Read", plan, name } as const
  }).pipe(Effect.catchTags({ GatewayError: notRead, ImportRefused: notRead }))

type TodaysCodes = Pick<ReturnType<typeof FiscalDays.todaysCodes>, "meant">

export interface LegStatements {
  readonly documents: number
  readonly skipped: number
  readonly of: (document: NamedStatement) => SourceStatement
  readonly ofInvoice: (id: string) => SourceStatement
  readonly rest: () => ReadonlyArray<OnlyStated>
}

const same: SourceStatement = { _tag: "Same" }

const listed = (texts: ReadonlyArray<string>): string => [...new Set(texts)].join("; ")

type FiguresOf = (document: WrittenDocument.WrittenDocument, planned: CodeMeaning | null) => Account.AccountFigures

/** Null amounts where the gateway maps a code otherwise than the book. */
const statedFigures =
  ({ book }: Pick<ImportPlan, "book">, codes: TodaysCodes, account: string): FiguresOf =>
  (written, planned) => {
    const document = WrittenDocument.read(written)
    if (planned !== null) return Account.figuresOf({ document, meaning: planned })
    const today = codes.meant(account, document)
    const { meaning = null } = meaningOf(written, book)
    const isSame =
      meaning !== null &&
      meaning.currency === today?.currency &&
      meaning.taxes.every(([code, device]) => today.taxes.some(([name, tax]) => name === code && tax === device))
    return Account.figuresOf({ document, meaning: isSame ? meaning : null }, today)
  }

const statementOf = (entry: ImportEntry, figuresOf: FiguresOf): SourceStatement => {
  const notKnown = (text: string): SourceStatement => ({ _tag: "NotKnown", text })
  if (entry._tag === "Known") {
    const { findings, states, translated } = entry
    if (findings.length > 0) return notKnown(listed(findings.map(({ code }) => code)))
    if (states === "as-sent") return same
    return translated === null
      ? notKnown("its settled figures cannot be translated")
      : { _tag: "Stated", figures: figuresOf(translated, null), text: "" }
  }
  const written = entry._tag === "Planned" ? entry.planned.document : entry.document
  if (written === null) return notKnown(`refused: ${listed(entry.findings.map(({ code }) => code))}`)
  const meaning = (entry._tag === "Planned" ? entry.planned.meaning : null) ?? null
  const text = listed(
    entry.findings.filter(ImportedDocument.isConflict).map(({ detail, message }) => detail ?? message)
  )
  return { _tag: "Stated", figures: figuresOf(written, meaning), text }
}

const onlyStated = (
  entry: Exclude<ImportEntry, { readonly _tag: "Known" }>,
  statement: SourceStatement,
  account: string
): OnlyStated => {
  const { id, kind, number } = entry.source
  const dated = entry._tag === "Planned" ? entry.planned.sourceDate : entry.day
  const text = statement._tag === "NotKnown" ? statement.text : dated === null ? "no date" : ""
  return {
    kind,
    id: id || number,
    number,
    account,
    dated,
    text,
    made: "source",
    state: entry._tag === "Planned" ? "Planned" : "Refused",
    stated: statement._tag === "Stated" ? statement.figures : "not-known",
    ended: entry._tag === "Planned" ? null : "not-accepted",
    receipts: []
  }
}

const together = 500

/**
 * Reads the statements of a plan. An entry is compared by its number's fold only if the store does
 * not have its key.
 */
export const read = (
  { plan, unanswered = [] }: Pick<SourceRead, "plan" | "unanswered">,
  account: string,
  store: Pick<SubmissionQueries, "getMany">,
  codes: TodaysCodes
): Effect.Effect<LegStatements, StoreError> =>
  Effect.gen(function* () {
    const { entries, skipped } = plan
    const figuresOf = statedFigures(plan, codes, account)
    const byKey = new Map<string, SourceStatement>()
    const byFold = new Map<string, { readonly keys: ReadonlyArray<string>; readonly statement: SourceStatement }>()
    const rest = new Map<string, OnlyStated>()
    let documents = 0
    let left = 0

    const storedOf = (names: ReadonlyArray<NamedStatement>) =>
      Effect.map(
        store.getMany(names.map(({ id, kind, number }) => ({ account, kind, id: id || number }))),
        (found) => new Set(found.map(keyOf))
      )
    /** Two statements under one name: which of them is about the document is not known. */
    const both = ({ number }: NamedStatement): SourceStatement => ({
      _tag: "NotKnown",
      text: `two statements about ${number}`
    })
    const add = (named: NamedStatement, statement: SourceStatement, isStored: boolean) => {
      const [key, fold] = [keyOf(named), foldOf(named)]
      const own = byKey.has(key) ? both(named) : statement
      byKey.set(key, own)
      if (isStored) return
      const spelled = byFold.get(fold)
      const keys = [...(spelled?.keys ?? []), key]
      byFold.set(fold, { keys, statement: spelled === undefined ? own : both(named) })
    }

    yield* Stream.runForEach(Stream.grouped(entries, together), (page) =>
      Effect.gen(function* () {
        const stored = yield* storedOf(
          page.flatMap((entry) => (ImportedDocument.isSentBefore(entry) ? [] : [entry.source]))
        )
        for (const entry of page) {
          documents++
          const statement = statementOf(entry, figuresOf)
          const isStored = ImportedDocument.isSentBefore(entry) || stored.has(keyOf(entry.source))
          add(entry.source, statement, isStored)
          if (entry._tag !== "Known" && !isStored) rest.set(keyOf(entry.source), onlyStated(entry, statement, account))
        }
      })
    )
    yield* Stream.runForEach(Stream.grouped(skipped, together), (page) =>
      Effect.gen(function* () {
        const stored = yield* storedOf(page.flatMap(({ cancelled }) => cancelled ?? []))
        for (const { cancelled, of, reason } of page) {
          left++
          if (cancelled !== undefined) add(cancelled, { _tag: "Void" }, stored.has(keyOf(cancelled)))
          // left out because it is too old, or because another statement counts
          else if (of !== undefined && !byKey.has(keyOf(of))) byKey.set(keyOf(of), { _tag: "NotKnown", text: reason })
        }
      })
    )
    for (const { kind, ...one } of unanswered)
      if (kind !== null && !byKey.has(keyOf({ kind, ...one })))
        byKey.set(keyOf({ kind, ...one }), { _tag: "NotKnown", text: "the source does not answer for it" })
    return {
      documents,
      skipped: left,
      of: (document) => {
        const own = byKey.get(keyOf(document))
        if (own !== undefined) return own
        const spelled = byFold.get(foldOf(document))
        if (spelled === undefined) return { _tag: "NotStated" }
        for (const key of spelled.keys) rest.delete(key)
        return spelled.statement
      },
      ofInvoice: (id) => byKey.get(keyOf({ kind: "invoice", id, number: id })) ?? { _tag: "NotStated" },
      rest: () => [...rest.values()]
    }
  })

/** Returns what the source states now by the record of an import. Null if it was not kept. */
export const notedOf = (
  { account, id, kind }: Parameters<SubmissionQueries["family"]>[0],
  store: Pick<SubmissionQueries, "family">
) =>
  Effect.map(store.family({ account, kind, id }), (found) => {
    const family = Option.getOrNull(found)
    if (family?.stated._tag !== "Changed") return null
    const [sent, now] = [family.sent, family.stated].map(({ document }) => document.payload.lineItems)
    return { stated: family.stated, text: changesInWords(sent!, now!) }
  })
