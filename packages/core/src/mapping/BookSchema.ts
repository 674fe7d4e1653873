/** The JSON Schema of the mapping book, for editors: `"$schema"` of a book may name it. Generated from the book's own schema. */
import { Schema } from "effect"
import { BookFile } from "./BookFile.ts"

/** Draft 2020-12. A book over a base may leave out what its base says. */
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
