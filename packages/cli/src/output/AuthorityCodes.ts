/**
 * Collects the authority's codes in texts from the gateway: each code once, with its meaning and
 * the next step.
 */
import { AuthorityCode } from "@fiscal-connector/core/host/import"

export class AuthorityCodes {
  readonly #documents = new Map<string, number>()

  add(text: string | null): void {
    for (const { code } of AuthorityCode.inText(text ?? "")) {
      this.#documents.set(code, (this.#documents.get(code) ?? 0) + 1)
    }
  }

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

export const report = (texts: Iterable<string | null>): string => {
  const codes = new AuthorityCodes()
  for (const text of texts) codes.add(text)
  return codes.report()
}
