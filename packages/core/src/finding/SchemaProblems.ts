import { type Schema, SchemaIssue } from "effect"
import type { Path } from "./Finding.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

export const of = ({ issue }: Schema.SchemaError): ReadonlyArray<{ readonly path: Path; readonly message: string }> =>
  format(issue).issues.map(({ message, path = [] }) => ({
    message,
    path: path.map((key) => (typeof key === "number" ? key : String(key)))
  }))
