import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

const wording: Readonly<Record<string, string>> = {
  "Expected no excess property": "there is no such field",
  "Missing key": "is not set"
}

/**
 * Returns one text line per problem, such as `LineItems.0.Quantity: expected a decimal number`,
 * without values.
 */
export const of = (error: Schema.SchemaError): ReadonlyArray<string> =>
  standard(error.issue).issues.map((issue) => {
    const path = (issue.path ?? []).map((segment) => String(typeof segment === "object" ? segment.key : segment))
    return path.length === 0 ? issue.message : `${path.join(".")}: ${wording[issue.message] ?? issue.message}`
  })
