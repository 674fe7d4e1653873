/** Numbers are read from their source text and written digit by digit. */
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Decimal from "./Decimal.ts"

export type ExactJson =
  | null
  | boolean
  | string
  | BigDecimal.BigDecimal
  | ReadonlyArray<ExactJson>
  | { readonly [key: string]: ExactJson }

export type Printable =
  | null
  | boolean
  | string
  | number
  | BigDecimal.BigDecimal
  | ReadonlyArray<Printable>
  | { readonly [key: string]: Printable | undefined }

type SourceReviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown

// The types of TypeScript 7 lack the third argument; Node has passed it since 22.
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => ExactJson

/** Parses JSON text. Fails with a sentence if the text is not JSON, or if a number is too large. */
export const parse = (text: string): Result.Result<ExactJson, string> =>
  Result.flatMap(
    Result.try({
      try: () => {
        let outlandish = false
        const json = parseWithSource(text, (_key, value, context) => {
          if (typeof value !== "number") return value
          const decimal = Decimal.fromText(context.source ?? String(value))
          outlandish ||= Option.isNone(decimal)
          return Option.getOrElse(decimal, () => BigDecimal.fromBigInt(0n))
        })
        return { json, outlandish }
      },
      catch: () => "the body is not JSON"
    }),
    ({ json, outlandish }) =>
      outlandish ? Result.fail("the body holds a number that is too long or too large") : Result.succeed(json)
  )

/**
 * Returns a schema for a JSON object and nothing else. A number of an ExactJson is an object to a
 * Struct, and must not pass for an empty object.
 */
export const objectOf = <S extends Schema.Top>(struct: S) =>
  Schema.declare(
    (value: unknown): value is S["Encoded"] =>
      typeof value === "object" && value !== null && !Array.isArray(value) && !BigDecimal.isBigDecimal(value),
    {
      expected: "an object",
      toCodecJson: () => Schema.link<S["Encoded"]>()(Schema.toEncoded(struct), SchemaTransformation.passthrough())
    }
  ).pipe(Schema.decodeTo(struct, SchemaTransformation.passthrough()))

/** Prints JSON text; a BigDecimal becomes a number with all its digits and places. */
export const print = (value: Printable): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (BigDecimal.isBigDecimal(value)) return Decimal.toText(value)
  if (Array.isArray(value)) return `[${(value as ReadonlyArray<Printable>).map(print).join(",")}]`
  const members: Array<string> = []
  for (const [key, member] of Object.entries(value as { readonly [key: string]: Printable | undefined })) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${print(member)}`)
  }
  return `{${members.join(",")}}`
}
