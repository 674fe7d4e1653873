/** Codes of the authority in what the gateway said of documents: each once, with its meaning and the next step. */
import * as AuthorityCode from "@fiscal-connector/core/unstable/preflight/AuthorityCode"

/** Takes the texts as they come, and keeps the codes. */
export class AuthorityCodes {
  readonly #documents = new Map<string, number>()

  /** What was said of one document. */
  add(text: string | null): void {
    for (const { code } of AuthorityCode.inText(text ?? "")) {
      this.#documents.set(code, (this.#documents.get(code) ?? 0) + 1)
    }
  }

  /** Empty where there are none. */
  report(): string {
    const found = AuthorityCode.inText([...this.#documents.keys()].join(" "))
    if (found.length === 0) return ""
    const lines = found.flatMap(({ code, fix, meaning }) => {
      const documents = this.#documents.get(code) ?? 0
      return [`  ${code}${documents > 1 ? ` (${documents} documents)` : ""}: ${meaning}`, `    → ${fix}`]
    })
    return ["Meaning of the authority's codes:", ...lines].join("\n")
  }
}

/** The codes in the texts, as a part of what is printed; empty where there are none. */
export const report = (texts: Iterable<string | null>): string => {
  const codes = new AuthorityCodes()
  for (const text of texts) codes.add(text)
  return codes.report()
}
