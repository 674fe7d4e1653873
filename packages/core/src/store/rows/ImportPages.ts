/** Texts shared by several findings are stored once. */
import type { Finding } from "../../finding/Finding.ts"
import type { KeptDocument } from "../../submission/KeptImport.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import { forgottenSource } from "./Forgotten.ts"

/** Individual fields of a finding. `of`: index of the shared fields in `said`. */
type FindingCase = Pick<Finding, "path"> &
  Partial<Pick<Finding, "at" | "detail" | "answers" | "unmapped">> & { readonly of: number }

interface Body {
  readonly said: ReadonlyArray<Pick<Finding, "code" | "severity" | "message" | "consequence" | "fix" | "steps">>
  readonly documents: ReadonlyArray<Omit<KeptDocument, "findings"> & { readonly findings: ReadonlyArray<FindingCase> }>
}

export const write = (documents: ReadonlyArray<KeptDocument>): string => {
  const indexes = new Map<string, number>()
  const written = documents.map((document) => ({
    ...document,
    findings: document.findings.map(({ answers, at, detail, path, unmapped, _tag, ...common }): FindingCase => {
      const key = JSON.stringify(common)
      const of = indexes.get(key) ?? indexes.size
      indexes.set(key, of)
      return {
        of,
        path,
        ...(at && { at }),
        ...(detail !== undefined && { detail }),
        ...(answers && { answers }),
        ...(unmapped && { unmapped })
      }
    })
  }))
  return `{"said":[${[...indexes.keys()].join(",")}],"documents":${JSON.stringify(written)}}`
}

export const read = (body: string, place: Stored.StoreLocation): ReadonlyArray<KeptDocument> => {
  const { documents, said } = Stored.record(body, place) as unknown as Body
  return documents.map(({ findings, ...document }) => ({
    ...document,
    findings: findings.map(({ at, detail, of, ...own }): Finding => ({
      _tag: "Finding",
      ...said[of]!,
      ...own,
      at,
      detail
    }))
  }))
}

/**
 * Returns the earliest day of a document that can still be forgotten; null if none is left. `day`:
 * the import's own day.
 */
export const oldestOf = (documents: ReadonlyArray<KeptDocument>, day: string): string | null =>
  documents.reduce<string | null>((oldest, document) => {
    if (isForgotten(document)) return oldest
    const own = document.day ?? day
    return oldest === null || own < oldest ? own : oldest
  }, null)

const isForgotten = ({ source }: KeptDocument): boolean => JSON.stringify(source) === forgottenSource

export const forgotten = (document: KeptDocument, before: string, day: string): KeptDocument =>
  (document.day ?? day) >= before
    ? document
    : {
        ...document,
        // stray rows and skipped documents have a quotation of the export instead of a number
        number: document.id === null ? "" : document.number,
        source: JSON.parse(forgottenSource) as KeptDocument["source"],
        buyer: null,
        said: null,
        findings: []
      }
