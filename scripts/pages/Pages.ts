/** Pages of docs/ generated from the sources by `pnpm run docs`. A test compares them. */
import * as BookSchema from "../../packages/core/src/mapping/BookSchema.ts"
import * as EnvelopeSchemas from "../../packages/cli/src/output/EnvelopeSchemas.ts"
import { allCodes } from "../../packages/cli/src/why/AllCodes.ts"
import * as CodePage from "./CodePage.ts"

const codes = await allCodes()

/** Text of each page by its file, relative to the repository. */
export const pages = (): ReadonlyMap<string, string> =>
  new Map([
    ["docs/errors/README.md", CodePage.toIndex(codes)],
    ...Array.from(CodePage.toPages(codes), ([file, text]) => [`docs/errors/${file}`, text] as const),
    ...(Object.keys(EnvelopeSchemas.schemas) as ReadonlyArray<EnvelopeSchemas.Kind>).map(
      (kind) =>
        [
          `docs/schemas/output/${kind}.schema.json`,
          `${JSON.stringify(EnvelopeSchemas.jsonSchema(kind), null, 2)}\n`
        ] as const
    ),
    ["docs/schemas/mapping-book.schema.json", `${JSON.stringify(BookSchema.jsonSchema(), null, 2)}\n`]
  ])
