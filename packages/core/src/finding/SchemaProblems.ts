/** Problems of a value that its schema does not accept. */
import { type Schema, SchemaIssue } from "effect"
import type { Path } from "./Finding.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns every problem with its place in the value. */
export const of = ({ issue }: Schema.SchemaError): ReadonlyArray<{ readonly path: Path; readonly message: string }> =>
  format(issue).issues.map(({ message, path = [] }) => ({
    message,
    path: path.map((key) => (typeof key === "number" ? key : String(key)))
  }))
