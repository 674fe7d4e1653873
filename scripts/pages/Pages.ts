/** Pages of docs/ generated from the sources by `pnpm run docs`. A test compares them. */
import type { EnvelopeKind } from "../../packages/cli/src/output/Output.ts"
import { allCodes } from "../../packages/cli/src/why/AllCodes.ts"
import * as CodePage from "./CodePage.ts"
import * as JsonSchemas from "./JsonSchemas.ts"
import { outputSchemas } from "./OutputSchemas.ts"

const codes = await allCodes()

/** Text of each page by its file, relative to the repository. */
export const pages = (): ReadonlyMap<string, string> =>
  new Map([
    ["docs/errors/README.md", CodePage.toIndex(codes)],
    ...Array.from(CodePage.toPages(codes), ([file, text]) => [`docs/errors/${file}`, text] as const),
    ...(Object.keys(outputSchemas) as ReadonlyArray<EnvelopeKind>).map(
      (kind) =>
        [`docs/schemas/output/${kind}.schema.json`, `${JSON.stringify(JsonSchemas.ofOutput(kind), null, 2)}\n`] as const
    ),
    ["docs/schemas/mapping-book.schema.json", `${JSON.stringify(JsonSchemas.ofBook(), null, 2)}\n`]
  ])
