/** Pages of docs/ generated from the sources by `pnpm run docs`. A test compares them. */
import * as BookSchema from "@fiscal-connector/core/unstable/mapping/BookSchema"
import * as EnvelopeSchemas from "../output/EnvelopeSchemas.ts"
import { allCodes } from "./AllCodes.ts"
import * as CodePage from "./CodePage.ts"

/** Text of each page by its file, relative to the repository. */
export const pages = (): ReadonlyMap<string, string> =>
  new Map([
    ["docs/errors/README.md", CodePage.toIndex(allCodes)],
    ...Array.from(CodePage.toPages(allCodes), ([file, text]) => [`docs/errors/${file}`, text] as const),
    ...(Object.keys(EnvelopeSchemas.schemas) as ReadonlyArray<EnvelopeSchemas.Kind>).map(
      (kind) =>
        [
          `docs/schemas/output/${kind}.schema.json`,
          `${JSON.stringify(EnvelopeSchemas.jsonSchema(kind), null, 2)}\n`
        ] as const
    ),
    ["docs/schemas/mapping-book.schema.json", `${JSON.stringify(BookSchema.jsonSchema(), null, 2)}\n`]
  ])
