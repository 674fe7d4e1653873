/**
 * Runs the cases of fixtures/rules in the sandbox: each document is sent over HTTP to a device that
 * has fiscalized the case's earlier documents. Shares no code with the preflight that reads the
 * same files.
 */
import { assert, describe, it } from "../../../core/test/It.ts"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync } from "node:fs"
import type { SandboxShape } from "../../src/Sandbox.ts"
import { jsonOf, send } from "../GatewayCaller.ts"
import { account, withSandbox } from "../sandboxes.ts"

interface Members {
  readonly [name: string]: unknown
}
interface Sent {
  readonly invoice?: Members
  readonly creditNote?: Members
}
interface Case extends Sent {
  readonly name: string
  readonly expect: "passes" | "breaks"
  readonly device?: Members
  readonly before?: ReadonlyArray<Sent>
  readonly closedAt?: string
  readonly now?: string
}

const folder = new URL("../../../../fixtures/rules/", import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), "utf8"))
const base = read("base.json")
const files: ReadonlyArray<{ readonly code: string; readonly cases: ReadonlyArray<Case> }> = readdirSync(folder)
  .filter((name) => /^[A-Z]+\d+\.json$/.test(name))
  .map(read)

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const merged = (whole: unknown, change: unknown): unknown =>
  isMembers(whole) && isMembers(change)
    ? {
        ...whole,
        ...Object.fromEntries(Object.entries(change).map(([name, value]) => [name, merged(whole[name], value)]))
      }
    : change

const submit = Effect.fnUntraced(function* (sandbox: SandboxShape, { creditNote, invoice }: Sent) {
  const [path, body] =
    invoice === undefined
      ? ["/creditnote", merged(base.creditNote, creditNote)]
      : ["/invoice", merged(base.invoice, invoice)]
  const accepted = yield* send(sandbox, "POST", path!, body)
  assert.strictEqual(accepted.status, 200, accepted.text)
  return jsonOf(yield* send(sandbox, "POST", "/status", [accepted.text])) as ReadonlyArray<{
    readonly Error: string | null
  }>
})

/** Returns the codes of the document's marks, and those in the text of its failure. */
const codesOf = (one: Case) =>
  withSandbox(
    Effect.fnUntraced(function* (sandbox) {
      yield* sandbox.control.moveClock({ mode: "standing", set: one.now ?? base.now })
      for (const earlier of one.before ?? []) {
        const [status] = yield* submit(sandbox, earlier)
        assert.isNull(status?.Error)
      }
      if (one.closedAt !== undefined) {
        yield* sandbox.control.moveClock({ set: one.closedAt })
        assert.strictEqual((yield* sandbox.control.closeDay()).result, "closed")
        yield* sandbox.control.moveClock({ set: one.now ?? base.now })
      }
      const marksBefore = (yield* sandbox.control.coloured).flatMap(({ marks }) => marks)
      assert.deepStrictEqual(marksBefore, [])
      const [status] = yield* submit(sandbox, one)
      const marks = (yield* sandbox.control.coloured).flatMap((receipt) => receipt.marks.map(({ code }) => code))
      return [...marks, ...(status?.Error?.match(/\b(?:RCPT|DEV)\d+/g) ?? [])]
    }),
    {
      devices: [{ deviceId: 1001, ...(merged(base.device, one.device ?? {}) as Members) }],
      accounts: [
        {
          ...account,
          taxMappings: Object.entries<number>(base.taxCodes).map(([taxCode, destinationTaxId]) => ({
            taxCode,
            destinationTaxId
          })),
          currencyMappings: Object.entries<string>(base.currencies).map(([sourceCurrency, destinationCurrency]) => ({
            sourceCurrency,
            destinationCurrency
          }))
        }
      ]
    }
  )

for (const { cases, code } of files) {
  describe(`rule ${code} on the device`, () => {
    for (const one of cases) {
      it.effect(`${one.expect}: ${one.name}`, function* () {
        const codes = yield* codesOf(one)
        if (one.expect === "breaks") assert.include(codes, code)
        else assert.deepStrictEqual(codes, [])
      })
    }
  })
}

it("has at least three cases of every code, of both kinds", () => {
  assert.isAtLeast(files.length, 30)
  for (const { cases, code } of files) {
    assert.isAtLeast(cases.length, 3, code)
    assert.deepStrictEqual([...new Set(cases.map((one) => one.expect))].toSorted(), ["breaks", "passes"], code)
  }
})
