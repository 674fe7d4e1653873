/**
 * Reads texts for people in a file: comments, test names and texts of TypeScript, Markdown
 * paragraphs.
 */
import jsTokens from "js-tokens"

/** Text without its markers. */
export interface Passage {
  /** Number of its first text line, from 1. */
  readonly at: number
  readonly text: string
}

const unmarked = (row: string): string =>
  row
    .trim()
    .replace(/^\/?\*{1,2}\/?/, "")
    .replace(/^\/\//, "")
    .replace(/\*\/$/, "")
    .trim()

/** Comments on separate text lines. Tags such as `@default` are left out. */
export const comments = (source: string): ReadonlyArray<Passage> => {
  const found: Array<Passage> = []
  let rows: Array<string> = []
  let at = 0
  let kind: "none" | "block" | "line" = "none"
  const end = () => {
    const text = rows.filter((row) => row !== "" && !row.startsWith("@")).join(" ")
    if (text !== "") found.push({ at, text })
    rows = []
    kind = "none"
  }
  for (const [index, row] of source.split("\n").entries()) {
    const text = row.trim()
    if (kind === "line" && !text.startsWith("//")) end()
    if (kind === "none") {
      if (text.startsWith("/*")) kind = "block"
      else if (text.startsWith("//")) kind = "line"
      at = index + 1
    }
    if (kind === "none") continue
    rows.push(unmarked(text))
    if (kind === "block" && text.includes("*/")) end()
  }
  end()
  return found
}

/** Paragraphs and list items. Code blocks, tables, headings and HTML are left out. */
export const paragraphs = (source: string): ReadonlyArray<Passage> => {
  const found: Array<Passage> = []
  let rows: Array<string> = []
  let at = 0
  let isCode = false
  const end = () => {
    if (rows.length > 0) found.push({ at, text: rows.join(" ") })
    rows = []
  }
  for (const [index, row] of source.split("\n").entries()) {
    const text = row.trim()
    if (text.startsWith("```")) isCode = !isCode
    const isProse = !isCode && text !== "" && !/^(```|\||#|<)/.test(text)
    if (!isProse || /^([-*]|\d+\.) /.test(text)) end()
    if (!isProse) continue
    if (rows.length === 0) at = index + 1
    rows.push(text.replace(/^([-*]|\d+\.) +/, ""))
  }
  end()
  return found
}

const testName =
  /\b(?:describe|it|test|story)(?:\.\w+)*(?:<[^>]*>)?(?:\([\w.[\]", ]*\))?\(\s*(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)\s*,/g

/** Names of tests that are written in the call. Placeholders are left out. */
export const testNames = (source: string): ReadonlyArray<Passage> =>
  Array.from(source.matchAll(testName), ({ 0: call, 1: plain, 2: template, index }) => ({
    at: source.slice(0, index + call.indexOf(plain ?? template ?? "")).split("\n").length,
    text: (plain ?? template ?? "").replaceAll(/\$\{[^}]*\}/g, "…")
  }))

const sql =
  /^\s*(select|create|insert|update|delete|with|alter|drop|case|and |where|from|union|order by|exists|not exists)\b/

/**
 * Texts of at least four words for users: string literals and templates without SQL. Placeholders
 * are left out.
 */
export const userTexts = (source: string): ReadonlyArray<Passage> => {
  const found: Array<Passage> = []
  let at = 1
  let text = ""
  let from = 1
  const end = () => {
    const words = text.split(/\s+/).filter((word) => /^[A-Za-z][a-z']*[,.:;]?$/.test(word))
    if (words.length >= 4 && !sql.test(text)) found.push({ at: from, text })
    text = ""
  }
  for (const { type, value } of jsTokens(source)) {
    if (type === "TemplateHead" || type === "StringLiteral" || type === "NoSubstitutionTemplate") from = at
    if (type === "StringLiteral" || type === "NoSubstitutionTemplate") text = value.slice(1, -1)
    else if (type.startsWith("Template")) text += `${value.slice(1).replace(/\$\{$|`$/, "")}…`
    if (type === "StringLiteral" || type === "NoSubstitutionTemplate" || type === "TemplateTail") end()
    at += value.split("\n").length - 1
  }
  return found
}
