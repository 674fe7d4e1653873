import { AdapterError, ExportUnreadable } from "./Adapter.ts"
import type { SourceDocument } from "./SourceDocument.ts"
import { isEmpty } from "./StatedWords.ts"

const quoted = (text: string): string => `"${text.slice(0, 60)}"`

export class OneSeller {
  private readonly sellers = new Map<string, string>()

  /** Throws an `AdapterError` if the document names another seller than earlier documents. */
  check(source: SourceDocument): void {
    for (const { answers, name, subject, text } of source.words ?? []) {
      if (subject !== "seller" || isEmpty(text)) continue
      const first = this.sellers.get(name)
      if (first === undefined) this.sellers.set(name, text)
      if (first === undefined || first === text) continue
      const reason = new ExportUnreadable({
        file: source.where([]).file,
        problem: `${quoted(name)} names two sellers, ${quoted(first)} and ${quoted(text)}, and an import sends for one`,
        fix: "Export each company alone and import each file with the account of that company",
        ...(answers && { answers })
      })
      throw new AdapterError({ adapter: "import", reason })
    }
  }
}
