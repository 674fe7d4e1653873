/**
 * Collects the authority's codes in texts from the gateway: each code once, with its meaning and
 * the next step.
 */
import * as AuthorityCode from "@fiscal-connector/core/unstable/preflight/AuthorityCode"

/** Takes texts as they arrive and keeps the codes. */
export class AuthorityCodes {
  readonly #documents = new Map<string, number>()

  /** Adds the text about one document. */
  add(text: string | null): void {
    for (const { code } of AuthorityCode.inText(text ?? "")) {
      this.#documents.set(code, (this.#documents.get(code) ?? 0) + 1)
    }
  }

  /** Returns the report, or an empty text without codes. */
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

/** Returns the report of the codes in the texts, or an empty text without codes. */
export const report = (texts: Iterable<string | null>): string => {
  const codes = new AuthorityCodes()
  for (const text of texts) codes.add(text)
  return codes.report()
}
