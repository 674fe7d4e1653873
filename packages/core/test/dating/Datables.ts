/** Documents to date, and the results as one text line each. */
import { DateTime, Option } from "effect"
import * as CivilDate from "../../src/document/CivilDate.ts"
import * as Instant from "../../src/document/Instant.ts"
import type { MappingBook } from "../../src/mapping/MappingBook.ts"
import { type Datable, type DatingContext, assign } from "../../src/dating/ReceiptDates.ts"

export const zone = (text: string) => Option.getOrThrow(DateTime.zoneFromString(text))
export const instant = (text: string) => Option.getOrThrow(Instant.parse(text))

/** Returns a document with a civil date, or else an instant; the default number is the key. */
export const document = (key: string, date: string, original: string | null = null, number = key): Datable => ({
  key,
  number,
  date: Option.getOrElse(CivilDate.parse(date), () => instant(date)),
  original
})

interface Circumstances {
  readonly times?: MappingBook["times"]
  readonly zone?: string
  readonly opens?: number
  readonly mark?: string
  readonly now?: string
  readonly reserved?: ReadonlyArray<string>
}

export const context = (given: Circumstances): DatingContext => ({
  book: { zone: zone(given.zone ?? "+02:00"), times: given.times ?? "spread", opens: given.opens ?? 8 * 3600 },
  mark: Option.map(Option.fromNullishOr(given.mark), (at) => ({ at: instant(at), cause: "attempt" as const })),
  now: instant(given.now ?? "2026-12-31T12:00:00+02:00"),
  ...(given.reserved && { reserved: new Set(given.reserved.map((text) => Instant.seconds(instant(text)))) })
})

/** Returns `key date`, `key Late` or `key CODE: detail`, in the order of the results. */
export const dated = (documents: ReadonlyArray<Datable>, given: Circumstances = {}): ReadonlyArray<string> =>
  assign(documents, context(given)).map((dating) => {
    switch (dating._tag) {
      case "Dated":
        return `${dating.key} ${dating.receiptDate === "at-submission" ? dating.receiptDate : Instant.format(dating.receiptDate)}`
      case "Late":
        return `${dating.key} Late`
      case "Undatable":
        return `${dating.key} ${dating.code.code}: ${dating.detail}`
    }
  })
