/**
 * What a schema has against a value, as lines for people.
 */
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

/** What schemas say in words of their own, said in ours. */
const wording: Readonly<Record<string, string>> = {
  "Expected no excess property": "there is no such field",
  "Missing key": "is not set"
}

/** `LineItems.0.Quantity: expected a decimal number`, one per problem; values are left out. */
export const of = (error: Schema.SchemaError): ReadonlyArray<string> =>
  standard(error.issue).issues.map((issue) => {
    const path = (issue.path ?? []).map((segment) => String(typeof segment === "object" ? segment.key : segment))
    return path.length === 0 ? issue.message : `${path.join(".")}: ${wording[issue.message] ?? issue.message}`
  })
