import { Money } from "@fiscal-connector/core/adapter"
import type { MappingBook } from "@fiscal-connector/core/book"
import { BookAddition, type DeviceFacts, Unmapped } from "@fiscal-connector/core/host/import"
import { type Column, table } from "./Table.ts"
import { padEnd, printable } from "./Terminal.ts"
import { paragraphs } from "./Paragraphs.ts"

/**
 * Available entries. `device` is undefined for a sandbox, because its device has only the book's
 * entries.
 */
export interface UnmappedChoice {
  readonly book: MappingBook.MappingBook
  readonly device: Pick<DeviceFacts.DeviceFacts, "taxes" | "currencies"> | undefined
}

const into = ' Where the book has the tax already, put the spelling into its "from" instead.'

const lists: ReadonlyArray<BookAddition.BookAddition["list"]> = ["taxes", "currencies", "payments"]

const nothing = { taxes: null, currencies: null }

export const report = (
  { beyond, codes }: Pick<Unmapped.UnmappedCodes, "beyond" | "codes">,
  { book, device }: UnmappedChoice
): string => {
  if (codes.length === 0) return ""
  const taxes = codes.some(({ what }) => what === "tax") ? (device?.taxes ?? []) : []
  const currencies = codes.some(({ what }) => what === "currency") ? (device?.currencies ?? null) : null
  const additions = codes
    .flatMap((code) => BookAddition.of(code, book, device ?? nothing))
    .toSorted((a, b) => lists.indexOf(a.list) - lists.indexOf(b.list))
  return paragraphs([
    `Not in the mapping book:\n\n${indented(table(columnsOf(codes), codes))}`,
    beyond === "some" ? "  … and more spellings" : "",
    taxes.length === 0 ? "" : `The device's taxes to choose from:\n\n${indented(table(taxColumns(book), taxes))}`,
    currencies === null ? "" : printable(`The device's currencies: ${[...currencies].join(", ") || "none"}`),
    [
      `To write into the mapping book; what only you can know is "".${codes.some(({ what }) => what === "tax") ? into : ""}\n`,
      ...additions.map(({ list, text }) => `  ${padEnd(list, 10)}  ${printable(text)}`)
    ].join("\n")
  ])
}

export const toJson = ({ codes }: Pick<Unmapped.UnmappedCodes, "codes">, { book, device }: UnmappedChoice) =>
  codes.map((code) => ({
    ...code,
    candidates: candidatesOf(code, device),
    additions: BookAddition.of(code, book, device ?? nothing)
  }))

const candidatesOf = (code: Unmapped.UnmappedCode, device: UnmappedChoice["device"]) => {
  if (code.what === "currency") return device?.currencies == null ? null : [...device.currencies]
  if (code.what !== "tax" || device?.taxes == null) return null
  return Unmapped.candidates(code, device.taxes).map(({ percent, ...tax }) => ({
    ...tax,
    percent: percent === null ? null : Money.formatPlain(percent)
  }))
}

const indented = (text: string) => text.replace(/^/gm, "  ")

const columns: ReadonlyArray<Column<Unmapped.UnmappedCode>> = [
  { title: "What", value: ({ what }) => what },
  { title: "Spelling", limit: 40, value: ({ spelling }) => spelling },
  { title: "Percent", value: ({ percents }) => percents.map((percent) => `${percent} %`).join(", ") },
  { title: "Days", value: daysOf },
  { title: "Documents", align: "right", value: ({ documents }) => String(documents) },
  {
    title: "As in",
    value: ({ documents, examples }) => `${examples.join(", ")}${documents > examples.length ? ", …" : ""}`
  }
]

const columnsOf = (codes: ReadonlyArray<Unmapped.UnmappedCode>) =>
  columns.filter(({ value }) => codes.some((code) => value(code) !== ""))

function daysOf({ since, until }: Unmapped.UnmappedCode): string {
  if (since === undefined || until === undefined) return ""
  return since === until ? since : `${since} to ${until}`
}

const taxColumns = (book: MappingBook.MappingBook): ReadonlyArray<Column<DeviceFacts.DeviceTax>> => [
  { title: "Id", align: "right", value: ({ id }) => String(id) },
  { title: "Name", limit: 40, value: ({ name }) => name ?? "" },
  {
    title: "Percent",
    align: "right",
    value: ({ percent }) => (percent === null ? "exempt" : `${Money.formatPlain(percent)} %`)
  },
  { title: "From", value: ({ since }) => since ?? "" },
  { title: "Until", value: ({ until }) => until ?? "" },
  {
    title: "In the book",
    value: ({ id }) => [...new Set(book.taxes.flatMap(({ code, device }) => (device === id ? [code] : [])))].join(", ")
  }
]
