/** `Date` of a document: ISO 8601 with a UTC offset (DOC-9). The device counts in whole seconds. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * Accepted form. Optional: the seconds, the minutes of the offset, and the colon of the offset. An
 * hour 24 is not valid.
 */
const shape =
  /^(\d{4})-(\d{2})-(\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)$/

const isDayOfMonth = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()

/**
 * Returns the instant of a text in whole seconds since 1970-01-01T00:00:00Z; undefined if the text
 * is not a date-time with offset.
 */
export const epochSeconds = (text: string): number | undefined => {
  const parts = shape.exec(text)
  if (parts === null || !isDayOfMonth(Number(parts[1]), Number(parts[2]), Number(parts[3]))) return undefined
  const [, year, month, day, clock, second = "00", offset = "Z"] = parts
  const zone = offset === "Z" ? offset : `${offset.slice(0, 3)}:${offset.slice(3).replace(":", "") || "00"}`
  const millis = Date.parse(`${year}-${month}-${day}T${clock}:${second}${zone}`)
  return Number.isNaN(millis) ? undefined : Math.floor(millis / 1000)
}

const Parsed = Schema.Struct({ text: Schema.String, epochSeconds: Schema.Int })

/** Date-time text as the document states it, with its instant in seconds since 1970. */
export const ReceiptDate = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(
    Parsed,
    SchemaTransformation.transformEffect({
      decode: (text) => {
        const seconds = epochSeconds(text)
        return seconds === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ expected: "an ISO 8601 date-time with a UTC offset" }))
          : Effect.succeed({ text, epochSeconds: seconds })
      },
      encode: (date) => Effect.succeed(date.text)
    })
  )
)
export type ReceiptDate = typeof ReceiptDate.Type
