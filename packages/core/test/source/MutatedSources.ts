/** Document with all fields, and copies with up to three values replaced at random. */
import { DateTime } from "effect"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { invoice, money } from "../import/SampleSources.ts"

export const at = { file: "sales.js", line: 7 }

export const whole = (): SourceDocument => ({
  ...invoice("INV-1", "2026-01-10"),
  buyer: { name: "Alice Buyer", tin: "2000123456", address: { city: "Harbour" } },
  lines: [
    {
      description: "Thing",
      quantity: money("1"),
      unitPrice: money("100"),
      lineAmount: money("90"),
      discount: { percent: money("10") },
      taxes: [{ code: "Standard", percent: money("15"), amount: money("11.74") }]
    },
    { description: "Other", discount: { amount: money("1") }, taxes: [] }
  ],
  charges: [{ kind: "shipping", amount: money("5"), taxes: [{ code: "Exempt" }] }],
  totals: { net: money("83.26"), tax: money("11.74"), total: money("95") },
  originals: [{ by: "number", value: "INV-0", amount: money("5") }],
  reason: "returned",
  where: (path) => ({ ...at, column: path.length + 1 })
})

/** Random numbers by mulberry32: small, sufficiently even, and the same everywhere. */
export const drawing = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

const pick = <A>(draw: () => number, choices: ReadonlyArray<A>): A => choices[Math.floor(draw() * choices.length)]!

/** Unexpected values. */
const odd: ReadonlyArray<unknown> = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  7n,
  "",
  "Invoice",
  "\ud800",
  "2026-01-10",
  "2026-02-30",
  "2026-01-10T00:00:00+02:00",
  Symbol("s"),
  () => undefined,
  new Date(Number.NaN),
  DateTime.makeUnsafe(0),
  DateTime.makeZonedUnsafe(0, { timeZone: "+02:00" }),
  new Map(),
  Object.create(null),
  money("1"),
  Object.assign(Object.create(Object.getPrototypeOf(money("1"))), { value: 1, scale: 0 }),
  Object.assign(Object.create(Object.getPrototypeOf(money("1"))), { value: 1n, scale: 1e9 }),
  { percent: 1 },
  { file: 1 },
  JSON.parse('{"__proto__":{"polluted":1}}'),
  Array.from({ length: 3 }),
  // Array with holes.
  Array(2)
]

const anything = (draw: () => number, depth: number): unknown => {
  if (depth === 0 || draw() < 0.6) return pick(draw, odd)
  const inner = () => anything(draw, depth - 1)
  return draw() < 0.5 ? [inner(), inner()] : { [pick(draw, ["code", "percent", "amount", "file", "x"])]: inner() }
}

const pathsOf = (
  value: unknown,
  path: ReadonlyArray<string | number> = []
): ReadonlyArray<ReadonlyArray<string | number>> => {
  if (typeof value !== "object" || value === null) return [path]
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  const inner = isPlain
    ? Object.entries(value).flatMap(([name, each]) =>
        pathsOf(each, [...path, Array.isArray(value) ? Number(name) : name])
      )
    : []
  return path.length === 0 ? inner : [path, ...inner]
}

const places = pathsOf(whole()).filter(([field]) => field !== "_tag")

/** Returns the node with the value at the path; unchanged if the path no longer exists. */
const replaced = (node: unknown, [head, ...rest]: ReadonlyArray<string | number>, value: unknown): unknown => {
  if (typeof node !== "object" || node === null) return node
  const inner = rest.length === 0 ? value : replaced((node as Record<string, unknown>)[head!], rest, value)
  return Array.isArray(node) ? Object.assign([...node], { [head!]: inner }) : { ...node, [head!]: inner }
}

export const mutated = (draw: () => number): unknown => {
  let given: unknown = whole()
  for (let changes = 1 + Math.floor(draw() * 3); changes > 0; changes--) {
    given = replaced(given, pick(draw, places), anything(draw, 2))
  }
  return given
}
