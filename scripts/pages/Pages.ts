/** Pages of docs/ generated from the sources by `pnpm run docs`. A test compares them. */
import * as BookSchema from "../../packages/core/src/mapping/BookSchema.ts"
import type { Kind } from "../../packages/cli/src/output/EnvelopeKinds.ts"
import * as EnvelopeSchemas from "../../packages/cli/src/output/EnvelopeSchemas.ts"
import { allCodes } from "../../packages/cli/src/why/AllCodes.ts"
import * as CodePage from "./CodePage.ts"

/** Text of each page by its file, relative to the repository. */
export const pages = (): ReadonlyMap<string, string> =>
  new Map([
    ["docs/errors/README.md", CodePage.toIndex(allCodes)],
    ...Array.from(CodePage.toPages(allCodes), ([file, text]) => [`docs/errors/${file}`, text] as const),
    ...(Object.keys(EnvelopeSchemas.schemas) as ReadonlyArray<Kind>).map(
      (kind) =>
        [
          `docs/schemas/output/${kind}.schema.json`,
          `${JSON.stringify(EnvelopeSchemas.jsonSchema(kind), null, 2)}\n`
        ] as const
    ),
    ["docs/schemas/mapping-book.schema.json", `${JSON.stringify(BookSchema.jsonSchema(), null, 2)}\n`]
  ])
