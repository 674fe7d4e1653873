/** The pages of docs/ that are written from the sources: by `pnpm run docs`, and compared by a test. */
import * as CodeEntry from "@fiscal-connector/core/codes/CodeEntry"
import * as BookSchema from "@fiscal-connector/core/mapping/BookSchema"
import { allCodes } from "./AllCodes.ts"

/** File, relative to the repository, to text. */
export const pages = (): ReadonlyMap<string, string> =>
  new Map([
    ["docs/errors/README.md", CodeEntry.toIndex(allCodes)],
    ...allCodes.map((entry) => [`docs/errors/${entry.code}.md`, CodeEntry.toMarkdown(entry)] as const),
    ["docs/schemas/mapping-book.schema.json", `${JSON.stringify(BookSchema.jsonSchema(), null, 2)}\n`]
  ])
