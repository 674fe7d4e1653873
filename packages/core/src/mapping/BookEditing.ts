/** Changes of a mapping book's text. Comments and all other text stay unchanged. */
import * as Jsonc from "#jsonc-parser"
import { modified } from "../document/JsonEdits.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import * as BookSkeleton from "./BookSkeleton.ts"
import * as BookText from "./BookText.ts"
import type { BlankLines } from "./MappingBook.ts"

/**
 * A change of the book. If the book already has the code of a spelling, the spelling is added to
 * that entry.
 */
export type BookEdit =
  | {
      readonly what: "tax"
      readonly spelling: string
      readonly code: string
      readonly device: number
      readonly name: string | null
      /** Percent as "15"; null is exempt, which differs from 0. */
      readonly percent: string | null
      readonly since: CivilDate | null
      readonly until: CivilDate | null
      readonly account?: string | undefined
      readonly product?: string | undefined
      readonly lines?: BlankLines | undefined
    }
  | { readonly what: "currency"; readonly spelling: string; readonly code: string; readonly device: string }
  | { readonly what: "payment method"; readonly spelling: string; readonly method: string }
  | { readonly what: "product code"; readonly spelling: string; readonly productCode: string }
  /** Assigns an HS code to lines without a product code, by their description. */
  | { readonly what: "described product"; readonly description: string; readonly productCode: string }
  /** Removes a spelling, so that the question about it is asked again. */
  | {
      readonly what: "forgotten spelling"
      readonly list: "taxes" | "currencies" | "payments"
      readonly spelling: string
    }
  /** Sets a field of the book by its path: `["policies", "charges"]`; null removes the field. */
  | { readonly what: "setting"; readonly path: readonly [string, ...ReadonlyArray<string>]; readonly value: unknown }

export type SpellingEdit = Extract<BookEdit, { readonly what: "tax" | "currency" | "payment method" }>

const lists = {
  tax: "taxes",
  currency: "currencies",
  "payment method": "payments",
  "product code": "productCodes"
} as const

export const blank = (zone: string): string =>
  BookSkeleton.write({
    about: [],
    zone: { known: zone },
    aboutTaxes: [],
    taxes: [],
    afterTaxes: [],
    currencies: [],
    payments: []
  })

export const apply = (text: string, edits: ReadonlyArray<BookEdit>): string => edits.reduce(edited, text)

/**
 * Takes the edits of an answer back: a spelling, a blank or a setting. The entry of a code that is
 * the spelling goes, too. A book is never without its zone.
 */
export const undone = (text: string, edits: ReadonlyArray<BookEdit>): string =>
  edits.reduce((all, edit) => {
    if (edit.what === "setting") return edit.path[0] === "zone" ? all : modified(all, edit.path, undefined)
    if (edit.what === "described product") return without(all, edit.description)
    if (edit.what === "forgotten spelling") return all
    const list = lists[edit.what]
    const added = JSON.stringify(Jsonc.parse(entryOf(edit)))
    // a blank has an entry for each kind of line
    const isAdded = (entry: EditedEntry) =>
      edit.spelling === "" ? JSON.stringify(entry) === added : entry.from?.includes(edit.spelling) === true
    const at = entriesIn(all, list).findIndex(isAdded)
    const { code, from = [] } = entriesIn(all, list)[at] ?? {}
    if (at === -1) return all
    // a code alone is a spelling, too; another entry without spellings may be the operator's own
    const isWhole = edit.spelling === "" || edit.what === "product code" || code === edit.spelling
    return from.length < 2 && isWhole
      ? modified(all, [list, at], undefined)
      : modified(all, [list, at, "from", from.indexOf(edit.spelling)], undefined)
  }, text)

const entriesIn = (text: string, list: string): ReadonlyArray<EditedEntry> => {
  const value: unknown = Jsonc.parse(text, [], { allowTrailingComma: true })
  const entries: unknown = (value as { readonly [list: string]: unknown } | undefined)?.[list]
  return Array.isArray(entries) ? (entries as ReadonlyArray<EditedEntry>) : []
}

const edited = (text: string, edit: BookEdit): string => {
  switch (edit.what) {
    case "setting":
      return modified(text, edit.path, edit.value ?? undefined)
    case "forgotten spelling":
      return forgotten(text, edit.list, edit.spelling)
    case "described product":
      return BookText.append(without(text, edit.description), "productCodes", [
        BookSkeleton.entry({ descriptions: [edit.description], productCode: edit.productCode })
      ])
    default:
      return spelled(text, edit)
  }
}

/** An entry left without spellings keeps its code. */
const forgotten = (text: string, list: string, spelling: string): string => {
  const entries = entriesIn(text, list)
  const found = entries.findIndex((entry) => entry.from?.includes(spelling))
  if (found === -1) return text
  const at = entries[found]?.from?.indexOf(spelling) ?? -1
  return forgotten(modified(text, [list, found, "from", at], undefined), list, spelling)
}

const without = (text: string, description: string): string => {
  const value: unknown = Jsonc.parse(text, [], { allowTrailingComma: true })
  const entries: unknown = (value as { readonly productCodes?: unknown } | undefined)?.productCodes
  if (!Array.isArray(entries)) return text
  const at = entries.findIndex((entry: { readonly descriptions?: ReadonlyArray<string> }) =>
    entry.descriptions?.includes(description)
  )
  if (at === -1) return text
  const { descriptions = [], from = [] } = entries[at] as {
    readonly descriptions?: ReadonlyArray<string>
    readonly from?: ReadonlyArray<string>
  }
  if (descriptions.length === 1 && from.length === 0) return modified(text, ["productCodes", at], undefined)
  return modified(text, ["productCodes", at, "descriptions", descriptions.indexOf(description)], undefined)
}

const spelled = (text: string, edit: ListedEdit): string => {
  const list = lists[edit.what]
  const entries = entriesIn(text, list)
  const at = entries.findIndex((entry) => isSame(edit, entry))
  if (at === -1) return BookText.append(text, list, [entryOf(edit)])
  const from = entries[at]?.from
  if (from?.includes(edit.spelling) === true) return text
  return Array.isArray(from)
    ? modified(text, [list, at, "from", from.length], edit.spelling, "insert")
    : modified(text, [list, at, "from"], [edit.spelling])
}

type ListedEdit = Extract<BookEdit, { readonly what: keyof typeof lists }>

interface EditedEntry {
  readonly from?: ReadonlyArray<string>
  readonly accounts?: unknown
  readonly products?: unknown
  readonly lines?: unknown
  readonly productCode?: unknown
  readonly code?: unknown
  readonly device?: unknown
  readonly method?: unknown
}

/**
 * A tax edit for lines without a tax code (empty spelling) always gets a new entry, which can be
 * limited to an account, a product or a kind of lines. A limited entry takes no other spellings.
 */
const isSame = (edit: ListedEdit, entry: EditedEntry): boolean => {
  switch (edit.what) {
    case "tax":
      return (
        edit.spelling !== "" &&
        entry.accounts === undefined &&
        entry.products === undefined &&
        entry.lines === undefined &&
        entry.code === edit.code &&
        entry.device === edit.device
      )
    case "currency":
      return entry.code === edit.code && entry.device === edit.device
    case "payment method":
      return entry.method === edit.method
    case "product code":
      return entry.productCode === edit.productCode && Array.isArray(entry.from)
  }
}

const entryOf = (edit: ListedEdit): string => {
  switch (edit.what) {
    case "tax": {
      const { account, code, device, lines, name, percent, product, since, spelling, until } = edit
      return BookSkeleton.entry({
        from: [spelling],
        ...(account && { accounts: [account] }),
        ...(product && { products: [product] }),
        ...(lines && { lines }),
        ...(since !== null && { since }),
        ...(until !== null && { until }),
        code,
        ...(name !== null && name !== "" && { name }),
        device,
        percent
      })
    }
    case "currency":
      return BookSkeleton.entry({ from: [edit.spelling], code: edit.code, device: edit.device })
    case "payment method":
      return BookSkeleton.entry({ from: [edit.spelling], method: edit.method })
    case "product code":
      return BookSkeleton.entry({ from: [edit.spelling], productCode: edit.productCode })
  }
}
