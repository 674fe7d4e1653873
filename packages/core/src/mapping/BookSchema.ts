/**
 * The JSON Schema of the mapping book, for editors; a book may name it in `"$schema"`. Generated
 * from the book's own schema.
 */
import { Schema } from "effect"
import { BookFile } from "./BookFile.ts"

/** Returns the schema (draft 2020-12). A book that extends a base may omit fields of the base. */
export const jsonSchema = (): Readonly<Record<string, unknown>> => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(BookFile, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "fiscal-connector mapping book",
    ...schema,
    required: ["version"],
    anyOf: [{ required: ["extends"] }, { required: ["zone", "taxes", "currencies"] }],
    ...(Object.keys(definitions).length > 0 && { $defs: definitions })
  }
}
