/** Fields with a known name and unknown values: listed once per file, as not read. */
import * as Finding from "../finding/Finding.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { SourceDocument } from "./SourceDocument.ts"
import { SourceFinding } from "./SourceFinding.ts"
import * as StatedWords from "./StatedWords.ts"

/**
 * Largest number of names in one list: a file with more names uses the names for something else.
 */
const mostNames = 50

export class UnreadWords {
  /** Names by file, and the place of the first document with an unread name. */
  private readonly files = new Map<string, { readonly at: Provenance; readonly names: Set<string> }>()

  take(source: SourceDocument): void {
    const unknown = source.words?.filter(
      (word) => StatedWords.meantBy(word) === undefined && !StatedWords.isEmpty(word.text)
    )
    if (unknown === undefined || unknown.length === 0) return
    const at = source.where([])
    const { names } = this.files.get(at.file) ?? { names: new Set<string>() }
    if (names.size === 0) this.files.set(at.file, { at, names })
    for (const { name } of unknown) if (names.size < mostNames) names.add(name)
  }

  findings(): ReadonlyArray<Finding.Finding> {
    return Array.from(this.files.values(), ({ at: { file, sheet }, names }) =>
      Finding.make(SourceFinding.WORDS_NOT_READ, {
        message: `not read: ${Array.from(names, (name) => `"${name.slice(0, 60)}"`).join(", ")}`,
        at: { file, ...(sheet !== undefined && { sheet }) }
      })
    )
  }
}
