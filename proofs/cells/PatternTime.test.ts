/**
 * Proves that no text of an export can keep the process busy: every regular expression takes linear
 * time (for the adapters see proofs/cells).
 */
import { assert, describe, it } from "@effect/vitest"
import * as Titles from "../../packages/adapter-csv/src/detect/Titles.ts"
import * as Writing from "../../packages/adapter-csv/src/scan/Writing.ts"
import * as PatternCost from "../../scripts/regex/PatternCost.ts"
import * as PatternSources from "../../scripts/regex/PatternSources.ts"
import { forms } from "../../packages/adapter-csv/src/values/DateForm.ts"
import { beside } from "../../packages/adapter-csv/src/scan/Row.ts"
import { usualPattern } from "../../packages/adapter-csv/src/values/NumberForm.ts"
import { formOf } from "../../packages/adapter-kit/src/item/DateText.ts"
import { patternOf } from "../../packages/core/src/gateway/exchange/Redaction.ts"
import { endings } from "../../packages/cli/src/adapter/Format.ts"

/**
 * Patterns that the program builds while running, in the same form, by the file that builds them.
 */
const built: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
  "packages/adapter-csv/src/detect/Titles.ts": Titles.built,
  "packages/adapter-csv/src/scan/Row.ts": [beside],
  "packages/adapter-csv/src/scan/Writing.ts": Writing.built,
  "packages/adapter-csv/src/values/DateForm.ts": Object.values(forms),
  "packages/adapter-csv/src/values/NumberForm.ts": [usualPattern],
  "packages/adapter-kit/src/item/DateText.ts": [formOf("dd/mm/yyyy").pattern, formOf("yyyymmdd").pattern],
  "packages/cli/src/adapter/Format.ts": [endings([".json", ".acme"], "json")],
  "packages/core/src/gateway/exchange/Redaction.ts": [patternOf(["key-1/2+3 4", "whsec_0123456789"])]
}

/** Super-linear patterns of every kind. */
const planted: ReadonlyArray<RegExp> = [
  /^[ \t\r\n]+|[ \t\r\n]+$/g,
  /\.?0+$/,
  /^\s*(general|@)?\s*$/i,
  /(?:"[^"]*"|\\.|\[[^\]]*\]|[^;])+/g,
  / \(choices: (.*)\)$/,
  /^(a+)+$/,
  /^(?:\w+\s?)*$/,
  /(?<=x)\d+\d+y/
]

const asText = (pattern: RegExp, place: string) => {
  const found = PatternCost.superLinear(pattern)
  return found === undefined ? [] : [`${place} ${String(pattern)}: ${JSON.stringify(found)}`]
}

describe("the regular expressions of the sources", () => {
  const places = PatternSources.all()

  it("all take linear time", () => {
    assert.isAbove(places.length, 380)
    const slow = places.flatMap(({ file, line, pattern }) =>
      pattern === undefined ? [] : asText(pattern, `${file}:${line}`)
    )
    assert.deepStrictEqual(slow, [])
  })

  it("built at run time are listed here, and take linear time", () => {
    const files = new Set(places.flatMap(({ file, pattern }) => (pattern === undefined ? [file] : [])))
    assert.deepStrictEqual([...files].toSorted(), Object.keys(built))
    const slow = Object.entries(built).flatMap(([file, patterns]) => patterns.flatMap((one) => asText(one, file)))
    assert.deepStrictEqual(slow, [])
  })

  it.each(planted.map((pattern) => [String(pattern), pattern] as const))(
    "%s would be detected as slow",
    (_, pattern) => {
      assert.notStrictEqual(PatternCost.superLinear(pattern), undefined)
    }
  )

  it("are found as literals and as constructor calls", () => {
    const found = PatternSources.inSource("a.ts", 'const a = /x+/g\nconst b = new RegExp("y")\nconst c = RegExp("z")')
    assert.deepStrictEqual(
      found.map(({ line, pattern }) => `${line} ${String(pattern)}`),
      ["1 /x+/g", "2 undefined", "3 undefined"]
    )
  })
})
