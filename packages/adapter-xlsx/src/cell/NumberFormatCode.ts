/** Tokenizer for number format codes, in one pass; ECMA-376 part 1, 18.8.31. */

export type Token =
  /** A placeholder, a separator or a part of a date. A duration like `[hh]` is one token. */
  | { readonly shown: "figures"; readonly text: string }
  /** `"text"` or `\\x`. */
  | { readonly shown: "literal"; readonly text: string; readonly literal: string }
  /** `[$US$-409]`; `literal` is the sign. */
  | { readonly shown: "currency"; readonly text: string; readonly literal: string }
  /** A color, a condition or a filler: `[Red]`, `_x`, `*x`. */
  | { readonly shown: "nothing"; readonly text: string }

const finder = (code: string, character: string): ((from: number) => number) => {
  let isOver = false
  return (from) => {
    const at = isOver ? -1 : code.indexOf(character, from)
    isOver = at < 0
    return at
  }
}

const bracketed = (text: string): Token => {
  if (/^\[(?:h+|m+|s+)\]$/i.test(text)) return { shown: "figures", text }
  if (!text.startsWith("[$")) return { shown: "nothing", text }
  const [literal = ""] = text.slice(2, -1).split("-")
  return { shown: "currency", text, literal }
}

export const tokensOf = (code: string): ReadonlyArray<Token> => {
  const quote = finder(code, '"')
  const bracket = finder(code, "]")
  const tokens: Array<Token> = []
  let at = 0
  while (at < code.length) {
    const token = tokenAt(code, at, quote, bracket)
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

const tokenAt = (
  code: string,
  at: number,
  quote: (from: number) => number,
  bracket: (from: number) => number
): Token => {
  const first = code.charAt(at)
  const pair = code.slice(at, at + 2)
  if (first === "\\" && pair.length === 2) return { shown: "literal", text: pair, literal: pair.slice(1) }
  if ((first === "_" || first === "*") && pair.length === 2) return { shown: "nothing", text: pair }
  if (first === '"') {
    const end = quote(at + 1)
    if (end >= 0) return { shown: "literal", text: code.slice(at, end + 1), literal: code.slice(at + 1, end) }
  }
  if (first === "[") {
    const end = bracket(at + 1)
    if (end >= 0) return bracketed(code.slice(at, end + 1))
  }
  return { shown: "figures", text: first }
}
