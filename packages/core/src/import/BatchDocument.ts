/** One document of an import batch with everything found about it so far. */
import type { CivilDate } from "../document/CivilDate.ts"
import * as Finding from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { check } from "../preflight/check.ts"
import type { DeviceFacts } from "../preflight/DeviceFacts.ts"
import type { Tolerances } from "../preflight/Rule.ts"
import { fingerprint } from "../source/Fingerprint.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { civilDateOf, type ResolvedOriginal, translate } from "../translate/translate.ts"
import type { Translated } from "../translate/Translated.ts"

/** A document of the batch with everything found about it. An error among the findings refuses it. */
export interface BatchDocument {
  readonly source: SourceDocument
  readonly fingerprint: string
  readonly translated: Translated | undefined
  readonly findings: ReadonlyArray<Finding.Finding>
  /** The invoice of the same batch that a credit note credits. */
  readonly original: SourceDocument | undefined
  /** Why it must wait although it is in order: its original is void. */
  readonly held: string | null
}

export interface BatchOptions {
  readonly account: string
  readonly book: MappingBook
  /** Credit note number or id → invoice number or id, settled by hand (`--original CN=INV`). */
  readonly originals: ReadonlyMap<string, string>
  /** What the device is known to take. Without it the rules that need to know are left to the gateway, and a credit note needs its original. */
  readonly device?: DeviceFacts
  readonly tolerances?: Tolerances
}

export const keyOf = ({ id, kind, number }: SourceDocument): string => `${kind} ${id || number}`

/** Translates one document and holds it against every rule that needs no other document. */
export const examine = (source: SourceDocument, options: BatchOptions, original?: ResolvedOriginal): BatchDocument => {
  const { findings, translated } = translate(source, options.book, original)
  const breaches = translated === undefined ? [] : check(source, translated, options)
  return {
    source,
    fingerprint: fingerprint(source),
    translated,
    findings: [...findings, ...breaches],
    original: undefined,
    held: null
  }
}

/** The day of a document in the book's zone, where it states one. */
export const dayOf = ({ source }: BatchDocument, book: MappingBook): CivilDate | undefined =>
  source.date === undefined ? undefined : civilDateOf(source.date, book.zone)

/** Whether nothing of the document may be sent. */
export const isRefused = ({ findings, translated }: BatchDocument): boolean =>
  translated === undefined || findings.some(Finding.refuses)
