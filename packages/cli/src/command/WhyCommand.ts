import { CodeEntry } from "@fiscal-connector/core/host/account"
import { AuthorityCode } from "@fiscal-connector/core/host/import"
import { Effect } from "effect"
import { Argument } from "effect/cli"
import { describedCommand } from "../output/Flags.ts"
import { nearest } from "../why/Nearest.ts"
import { printable } from "../output/Terminal.ts"
import { notDone } from "../output/ExitError.ts"
import { allCodes } from "../why/AllCodes.ts"
import { Call, type CallShape } from "../output/Call.ts"
import * as NextStep from "../output/NextStep.ts"
import * as Output from "../output/Output.ts"

export const why = describedCommand(
  "why",
  "Explain a code: meaning, consequence and remedy",
  {
    codes: Argument.String("code").pipe(
      Argument.withDescription("a code such as RCPT025, or an error text that contains codes"),
      Argument.atLeast(1)
    )
  },
  Effect.fnUntraced(function* ({ codes: given }) {
    const call = yield* Call
    const known = yield* Effect.promise(allCodes)
    const codes = given.flatMap(CodeEntry.replacing)
    const text = codes.join(" ")
    const named = codes.map((code) => ({ code, entry: CodeEntry.find(known, code) }))
    // in an error text, only words in the form of a code are looked up
    const inText = [
      ...new Set([
        ...AuthorityCode.inText(text).map(({ code }) => code),
        ...(text.match(looksLikeOne) ?? []).flatMap(CodeEntry.replacing)
      ])
    ]
      .map((code) => ({ code, entry: CodeEntry.find(known, code) }))
      .filter(({ code, entry }) => entry !== undefined || AuthorityCode.inText(code).length > 0)
    const isText = named.some(({ entry }) => entry === undefined) && inText.length > 0
    const asked = isText ? inText : named.every(({ entry }) => entry === undefined) ? [] : named
    if (asked.length === 0) {
      const near =
        codes.length === 1
          ? nearest(
              text,
              known.flatMap(({ alias, code }) => [code, ...(alias === undefined ? [] : [alias])])
            )
          : []
      return yield* notDone(
        [
          `Nothing is known of ${printable(text)}. connector docs errors lists every code.`,
          ...(near.length === 0 ? [] : ["Perhaps it is:"]),
          ...near.map((code) => `  ${call.next({ command: ["why"], operands: [code] })}`)
        ].join("\n")
      )
    }
    yield* Output.answer(
      "codes",
      { codes: asked.map(({ code, entry }) => entry ?? AuthorityCode.inText(code)[0] ?? { code }) },
      asked.map(({ code, entry }) => (entry === undefined ? unknown(code) : page(entry, call))).join("\n\n")
    )
    if (asked.some(({ entry }) => entry === undefined)) return yield* notDone("")
  })
)

const looksLikeOne = /\b(?:E[A-Z]{3,}|[A-Z]+(?:_[A-Z0-9]+)+)\b/g

const page = (
  { alias, code, consequence, fix, group, meaning, severity, steps }: CodeEntry.CodeEntry,
  call: CallShape
): string =>
  [
    `${code}${alias === undefined ? "" : ` (${alias})`}: ${meaning}`,
    `  ${group}${severity === undefined ? "" : `, ${severity}`}`,
    `  → ${consequence}`,
    `  → ${fix}`,
    ...NextStep.callsFor(steps, call).map((line) => `      ${line}`)
  ].join("\n")

const unknown = (code: string): string =>
  /^(RCPT\d{3}|DEV\d{2})$/.test(code)
    ? AuthorityCode.explain(code).join("\n")
    : `${printable(code)}: no such code. connector docs errors lists every code.`
