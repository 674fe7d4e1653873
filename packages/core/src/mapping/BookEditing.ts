/** Changes to a mapping book as data: what a person chose for a spelling, written into the book's text. Comments and everything else stay. */
import * as Jsonc from "#jsonc-parser"
import type { CivilDate } from "../document/CivilDate.ts"
import * as BookSkeleton from "./BookSkeleton.ts"
import * as BookText from "./BookText.ts"
import type { BlankLines } from "./MappingBook.ts"

/** What a spelling of an export means. Where the book has the code already, the spelling is added to it. */
export type BookEdit =
  | {
      readonly what: "tax"
      readonly spelling: string
      readonly code: string
      /** The device's tax id. */
      readonly device: number
      readonly name: string | null
      /** As "15"; null is exempt, which is not 0. */
      readonly percent: string | null
      /** The days in which the device has the tax; null without a limit. */
      readonly since: CivilDate | null
      readonly until: CivilDate | null
      /** What a blank is limited to. */
      readonly account?: string | undefined
      readonly product?: string | undefined
      /** The lines without a tax code that a blank stands for, where it is limited to no account and no product. */
      readonly lines?: BlankLines | undefined
    }
  | { readonly what: "currency"; readonly spelling: string; readonly code: string; readonly device: string }
  | { readonly what: "payment method"; readonly spelling: string; readonly method: string }
  /** The HS code of the export's product code. */
  | { readonly what: "product code"; readonly spelling: string; readonly productCode: string }
  /** A field of the book by its path: `["policies", "charges"]`. */
  | { readonly what: "setting"; readonly path: readonly [string, ...Array<string>]; readonly value: unknown }

/** A change that gives a spelling of the export its meaning. */
export type SpellingEdit = Extract<BookEdit, { readonly what: "tax" | "currency" | "payment method" }>

const lists = {
  tax: "taxes",
  currency: "currencies",
  "payment method": "payments",
  "product code": "productCodes"
} as const

/** A book that knows no spelling yet. */
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

/** The book's text with the edits in it; what is not a book's text stays as it is. */
export const apply = (text: string, edits: ReadonlyArray<BookEdit>): string => edits.reduce(edited, text)

const formattingOptions = { insertSpaces: true, tabSize: 2 }

const edited = (text: string, edit: BookEdit): string => {
  if (edit.what === "setting")
    return Jsonc.applyEdits(text, Jsonc.modify(text, [...edit.path], edit.value, { formattingOptions }))
  const list = lists[edit.what]
  const value: unknown = Jsonc.parse(text, [], { allowTrailingComma: true })
  const entries: unknown = (value as { readonly [list: string]: unknown } | undefined)?.[list]
  const at = Array.isArray(entries) ? entries.findIndex((entry) => isSame(edit, entry as Entry)) : -1
  if (at === -1 || !Array.isArray(entries)) return BookText.append(text, list, [entryOf(edit)])
  const from = (entries[at] as Entry).from
  if (from?.includes(edit.spelling) === true) return text
  const edits = Array.isArray(from)
    ? Jsonc.modify(text, [list, at, "from", from.length], edit.spelling, { formattingOptions, isArrayInsertion: true })
    : Jsonc.modify(text, [list, at, "from"], [edit.spelling], { formattingOptions })
  return Jsonc.applyEdits(text, edits)
}

type ListedEdit = Exclude<BookEdit, { readonly what: "setting" }>

interface Entry {
  readonly from?: ReadonlyArray<string>
  readonly accounts?: unknown
  readonly products?: unknown
  readonly lines?: unknown
  readonly productCode?: unknown
  readonly code?: unknown
  readonly device?: unknown
  readonly method?: unknown
}

/** A blank's entry is its own: it is limited to an account or a product. */
const isSame = (edit: ListedEdit, entry: Entry): boolean => {
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
