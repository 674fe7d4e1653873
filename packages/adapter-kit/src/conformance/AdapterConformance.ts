/**
 * Conformance suite for adapters of any format, on exports of the adapter's own. Pass an export
 * with every case: several documents, credit notes, a skipped item, an unreadable item.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import { Effect, Exit, Option, Stream } from "effect"
import {
  Adapter,
  type Finding,
  Fingerprint,
  type Provenance,
  type SourceDocument
} from "@fiscal-connector/core/adapter"

/** An export for the adapter to read. */
export interface SampleExport<Options> {
  readonly input: Adapter.Input
  readonly options: Options
}

/** One check of an adapter, by name. */
export interface AdapterCheck {
  readonly name: string
  readonly check: Effect.Effect<void, Adapter.AdapterError>
}

const isDocument = (reading: Adapter.Reading): reading is SourceDocument.SourceDocument =>
  reading._tag === "SourceDocument"

const ofFinding = ({ at, code, message, path }: Finding.Finding) => ({ code, message, path, at })

const comparable = (reading: Adapter.Reading) => {
  switch (reading._tag) {
    case "SourceDocument":
      return {
        wording: Fingerprint.wording(reading),
        order: reading.order,
        at: reading.where([]),
        findings: reading.findings.map(ofFinding)
      }
    case "Skipped":
      return { ...reading }
    case "Finding":
      return ofFinding(reading)
  }
}

const recut = ({ files }: Adapter.Input, size: number): Adapter.Input => ({
  files: files.map(({ bytes, name }) => ({
    name,
    bytes: Stream.flatMap(bytes, (chunk) =>
      Stream.fromIterable(
        Array.from({ length: Math.ceil(chunk.length / size) }, (_, i) => chunk.slice(i * size, (i + 1) * size))
      )
    )
  }))
})

const isParted = (value: unknown): value is object =>
  Array.isArray(value) ||
  (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype)

const pathsIn = (value: unknown, path: Finding.Path): ReadonlyArray<Finding.Path> =>
  isParted(value)
    ? [
        path,
        ...Object.entries(value).flatMap(([key, part]) =>
          pathsIn(part, [...path, Array.isArray(value) ? Number(key) : key])
        )
      ]
    : [path]

const statedPaths = ({
  buyer,
  charges,
  currency,
  date,
  lines,
  number,
  originals,
  totals
}: SourceDocument.SourceDocument) =>
  Object.entries({ number, date, currency, buyer, lines, charges, totals, originals }).flatMap(([field, value]) =>
    value === undefined ? [] : pathsIn(value, [field])
  )

const spelled = (draft: Adapter.BookDraft["taxes"]) => new Set(draft.map(({ spelling }) => spelling))

/** Returns the checks of an adapter on one export. */
export const suite = <Options>(
  adapter: Adapter.Adapter<Options>,
  { input, options }: SampleExport<Options>
): ReadonlyArray<AdapterCheck> => {
  const readAll = (from: Adapter.Input) => Stream.runCollect(adapter.read(from, options))
  const names = new Set(input.files.map(({ name }) => name))
  const isPlaced = (at: Provenance.Provenance | undefined, what: string) =>
    ok(at !== undefined && names.has(at.file), `${what} is not in a file of the export`)
  const checks: ReadonlyArray<AdapterCheck> = [
    {
      name: "reads something",
      check: Effect.map(readAll(input), (readings) => ok(readings.some(isDocument), "there is no document"))
    },
    {
      // the plan and the refused documents are looked up by reading again
      name: "reads the same in a second run",
      check: Effect.gen(function* () {
        deepStrictEqual((yield* readAll(input)).map(comparable), (yield* readAll(input)).map(comparable))
      })
    },
    {
      name: "reads the same in any chunks of bytes",
      check: Effect.gen(function* () {
        const whole = (yield* readAll(input)).map(comparable)
        for (const size of [1, 7, 4096]) deepStrictEqual((yield* readAll(recut(input, size))).map(comparable), whole)
      })
    },
    {
      name: "states the place of every value",
      check: Effect.map(readAll(input), (readings) => {
        for (const reading of readings) {
          if (!isDocument(reading)) {
            isPlaced(reading.at, "a reading")
            continue
          }
          for (const { at, code } of reading.findings) isPlaced(at, `${code} of ${reading.number}`)
          for (const path of [[], ...statedPaths(reading)]) {
            isPlaced(reading.where(path), `${path.join(".")} of ${reading.number}`)
          }
        }
      })
    },
    {
      name: "numbers each document differently",
      check: Effect.map(readAll(input), (readings) => {
        const orders = readings.filter(isDocument).map(({ order }) => order)
        strictEqual(new Set(orders).size, orders.length)
        ok(orders.every((order) => Number.isSafeInteger(order) && order >= 0))
      })
    },
    {
      name: "states consequence and next step of every finding",
      check: Effect.map(readAll(input), (readings) => {
        for (const reading of readings) {
          const findings = isDocument(reading) ? reading.findings : reading._tag === "Finding" ? [reading] : []
          for (const { code, consequence, fix, message } of findings) {
            ok(/^[A-Z][A-Z0-9_]+$/.test(code), `${code} is not a code`)
            ok(
              [consequence, fix, message].every((text) => text.trim() !== ""),
              `${code} lacks a message, a consequence or a fix`
            )
          }
        }
      })
    },
    {
      name: "fails with an adapter error, if it fails, on bytes that are not an export",
      check: Effect.forEach(
        [[], [0], [0xff, 0xfe, 0x00], Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)],
        (bytes) =>
          Effect.map(
            Effect.exit(readAll({ files: [{ name: "no-export", bytes: Stream.make(Uint8Array.from(bytes)) }] })),
            (exit) => {
              const reasons = Exit.isFailure(exit) ? exit.cause.reasons : []
              ok(
                reasons.every((reason) => reason._tag === "Fail" && Option.isSome(Adapter.adapterErrorOf(reason.error)))
              )
            }
          ),
        { discard: true }
      )
    }
  ]
  const { draftBook, writeRefused } = adapter
  return [
    ...checks,
    ...(writeRefused === undefined
      ? []
      : [
          {
            name: "reads the refused documents that it writes",
            check: Effect.gen(function* () {
              const documents = (yield* readAll(input)).filter(isDocument)
              const refused = documents.map((reading) => ({ reading, findings: reading.findings }))
              const bytes = yield* Stream.runCollect(writeRefused(Stream.fromIterable(refused)))
              const [first] = input.files
              const written = { files: [{ name: first?.name ?? "refused", bytes: Stream.fromIterable(bytes) }] }
              const again = (yield* readAll(written)).filter(isDocument)
              deepStrictEqual(
                again.map(({ kind, number }) => `${kind} ${number}`),
                documents.map(({ kind, number }) => `${kind} ${number}`)
              )
            })
          }
        ]),
    ...(draftBook === undefined
      ? []
      : [
          {
            name: "drafts a book with every spelling that needs an entry",
            check: Effect.gen(function* () {
              const { currencies, payments, taxes } = yield* draftBook(input, options)
              for (const { charges, currency, lines, paymentMethod } of (yield* readAll(input)).filter(isDocument)) {
                for (const { code } of [...lines, ...charges].flatMap(({ taxes }) => taxes)) {
                  ok(code.trim() === "" || spelled(taxes).has(code.trim()), `the tax ${code} is not drafted`)
                }
                ok(!currency?.trim() || spelled(currencies).has(currency.trim()), `${currency} is not drafted`)
                ok(!paymentMethod?.trim() || spelled(payments).has(paymentMethod.trim()))
              }
            })
          }
        ])
  ]
}
