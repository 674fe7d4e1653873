/** Rules that every adapter must keep on every export of its system. */
import { Adapter, type Provenance, type SourceDocument } from "@fiscal-connector/core/adapter"
import * as CoreSuite from "./AdapterConformance.ts"
import { Effect, Exit, Option, Result, Stream } from "effect"
import { fail, holds, type Law, NotHeld, readAll } from "./Check.ts"
import { difference, factsOf, hasOpenValue, type Json } from "./Facts.ts"
import type { Fixture } from "./Fixture.ts"

const isDocument = (reading: Adapter.Reading): reading is SourceDocument.SourceDocument =>
  reading._tag === "SourceDocument"

const named = ({ id, kind, number }: SourceDocument.SourceDocument) => `${kind} ${number || id || "without a name"}`

const ofEach = (
  name: string,
  hold: <Options>(
    adapter: Adapter.Adapter<Options>,
    fixture: Fixture<Options>,
    readings: ReadonlyArray<Adapter.Reading>
  ) => Effect.Effect<void, Adapter.AdapterError | NotHeld>
): Law => ({
  name,
  hold: (adapter, fixtures) =>
    Effect.forEach(
      fixtures,
      (fixture) =>
        Effect.flatMap(readAll(adapter, fixture, fixture.input), (readings) => hold(adapter, fixture, readings)).pipe(
          Effect.mapError((error) =>
            error._tag === "NotHeld" ? new NotHeld({ message: `${fixture.name}: ${error.message}` }) : error
          )
        ),
      { discard: true }
    )
})

const byId = (readings: ReadonlyArray<Adapter.Reading>) =>
  new Map(readings.filter(isDocument).map((document) => [`${document.kind} ${document.id}`, document]))

const sameDocuments = (before: ReadonlyArray<Adapter.Reading>, after: ReadonlyArray<Adapter.Reading>, when: string) => {
  const [one, two] = [byId(before), byId(after)]
  for (const [key, document] of one) {
    const again = two.get(key)
    if (again === undefined)
      return fail(
        `${named(document)} has another id ${when}: take the system's own id, never one made of a row's or a file's place`
      )
    const difference_ = difference([factsOf(document)], [factsOf(again)])
    if (difference_ !== undefined)
      return fail(`${difference_}, ${when}: a document states the same at every place of the export`)
  }
  const added = [...two].find(([key]) => !one.has(key))
  return added === undefined ? Effect.void : fail(`${named(added[1])} exists only ${when}`)
}

const ofCore: Law = {
  name: "has the properties that core relies on",
  hold: (adapter, fixtures) =>
    Effect.forEach(
      fixtures,
      ({ input, name, options }) =>
        Effect.forEach(
          CoreSuite.suite(adapter, { input, options }),
          ({ check, name: law }) =>
            check.pipe(
              Effect.catchDefect((defect) =>
                fail(
                  `${name}: it does not hold that the adapter ${law}: ${defect instanceof Error ? defect.message.split("\n")[0] : ""}`
                )
              )
            ),
          { discard: true }
        ),
      { discard: true }
    )
}

const reviewed = ofEach("gives the reviewed facts", (_, { facts }, readings) => {
  if (facts === undefined)
    return fail("its content is not recorded: let the suite draft facts.json, and compare it with the export")
  if (!facts.reviewed)
    return fail('facts.json was not reviewed: compare every figure with the export, then set "reviewed": true')
  const untyped = facts.readings.findIndex((reading) => hasOpenValue(reading))
  if (untyped !== -1)
    return fail(
      `a value of the reading ${untyped + 1} in facts.json is "": type it in from the export, or from another witness; what the adapter makes of it proves nothing`
    )
  const problem = difference(facts.readings, readings.map(factsOf))
  return problem === undefined
    ? Effect.void
    : fail(`${problem}. Correct the adapter; or the facts, if the export says so`)
})

const accounted = ofEach("accounts for every record", (_, { facts }, readings) => {
  if (facts === undefined || facts.records === null)
    return fail('its records were not counted: count them in the export and write the number as "records"')
  return holds(
    readings.length === facts.records,
    () =>
      `the export has ${facts.records} records, and the adapter returns ${readings.length} readings: every record is a document, skipped, or a finding`
  )
})

const identified = ofEach("gives every document a different id", (_, __, readings) => {
  const seen = new Set<string>()
  for (const document of readings.filter(isDocument)) {
    if (document.id.trim() === "" && document.findings.length === 0)
      return fail(`${named(document)} has an empty id: take the system's own, or the number where it has no other`)
    const key = `${document.kind} ${document.id}`
    if (document.id !== "" && seen.has(key))
      return fail(
        `two documents are ${key}: the id names one document; if the export repeats it, leave the repetition out of the fixture`
      )
    seen.add(key)
  }
  return Effect.void
})

const ordered = ofEach("gives documents in the order of their numbers", (_, __, readings) => {
  const orders = readings.filter(isDocument).map(({ order }) => order)
  return holds(
    orders.every((order, i) => i === 0 || order > orders[i - 1]!),
    () => "order does not grow from document to document, over all files: count on, or let the kit count"
  )
})

const text = ({ column, columnName, file, line, pointer }: Provenance.Provenance) =>
  [file, line, column, columnName, pointer].join(" ")

const placed = ofEach("states the place of each value more precisely than the file", (_, __, readings) => {
  const documents = readings.filter(isDocument)
  const own = new Set<string>()
  for (const document of documents) {
    const at = document.where([])
    if (at.line === undefined && at.pointer === undefined)
      return fail(
        `${named(document)} is in ${at.file}, and its place is not stated: where() gives a line, or a JSON pointer`
      )
    if (own.has(text(at)))
      return fail(`two documents have the place ${text(at)}: where([]) is the document's own place`)
    own.add(text(at))
    if (document.lines.length > 1) {
      const lines = new Set(document.lines.map((_, i) => text(document.where(["lines", i, "quantity"]))))
      if (lines.size === 1)
        return fail(
          `all lines of ${named(document)} have the same place: where(["lines", 1, "quantity"]) is the second line's`
        )
    }
  }
  return Effect.void
})

const unmoved: Law = {
  name: "gives the same documents for any order and any names of the files",
  hold: (adapter, fixtures) =>
    Effect.forEach(
      fixtures,
      (fixture) =>
        Effect.gen(function* () {
          const { files } = fixture.input
          const whole = yield* readAll(adapter, fixture, fixture.input)
          const ids = new Set(byId(whole).keys())
          const renamed = files.map(({ bytes, name }, i) => ({ bytes, name: `${i}-other-${name}` }))
          const joined = yield* Effect.result(readAll(adapter, fixture, { files: renamed }))
          if (Result.isSuccess(joined)) yield* sameDocuments(whole, joined.success, "when the files have other names")
          if (files.length < 2) return
          yield* sameDocuments(
            whole,
            yield* readAll(adapter, fixture, { files: files.toReversed() }),
            "when the files come in another order"
          )
          for (const file of files) {
            const alone = yield* Effect.result(readAll(adapter, fixture, { files: [file] }))
            // the records joined with this file are in another file
            if (Result.isFailure(alone)) continue
            const other = [...byId(alone.success)].find(([key]) => !ids.has(key))
            if (other !== undefined)
              return yield* fail(
                `${named(other[1])} has another id when ${file.name} is read alone: take the system's own id`
              )
          }
        }),
      { discard: true }
    )
}

const writtenAgain = <Options>(
  adapter: Adapter.Adapter<Options>,
  { input }: Fixture<Options>,
  documents: ReadonlyArray<SourceDocument.SourceDocument>
) => {
  const refused = documents.map((reading) => ({ reading, findings: reading.findings }))
  return Effect.map(Stream.runCollect(adapter.writeRefused!(Stream.fromIterable(refused))), (bytes): Adapter.Input => ({
    files: [{ name: input.files[0]?.name ?? "refused", bytes: Stream.fromIterable(bytes) }]
  }))
}

const reordered: Law = {
  name: "gives the same documents in another order, and after other documents",
  hold: (adapter, fixtures) =>
    Effect.forEach(
      fixtures,
      (fixture) =>
        Effect.gen(function* () {
          if (adapter.writeRefused === undefined) return
          const documents = (yield* readAll(adapter, fixture, fixture.input)).filter(isDocument)
          // a record that is joined with other files cannot be read alone
          const first = yield* Effect.result(
            readAll(adapter, fixture, yield* writtenAgain(adapter, fixture, documents))
          )
          if (Result.isFailure(first) || fixture.input.files.length > 1) return
          const reversed = yield* writtenAgain(adapter, fixture, documents.toReversed())
          const again = yield* readAll(adapter, fixture, reversed)
          yield* sameDocuments(first.success.filter(isDocument), again, "when the documents have another order")
        }),
      { discard: true }
    )
}

const hostile = (bytes: Uint8Array): ReadonlyArray<readonly [what: string, bytes: Uint8Array]> => [
  ["nothing", new Uint8Array(0)],
  ["noughts", new Uint8Array(3000)],
  ["no text", Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)],
  ["a hundred thousand brackets", new TextEncoder().encode("[".repeat(100_000))],
  ["a hundred thousand objects in each other", new TextEncoder().encode('{"a":'.repeat(100_000))],
  ["one value, two hundred thousand digits long", new TextEncoder().encode(`[{"a":${"9".repeat(200_000)}}]`)],
  ["the export cut in half", bytes.slice(0, Math.floor(bytes.length / 2))],
  ["the export with every hundredth byte another", bytes.map((byte, i) => (i % 100 === 99 ? byte ^ 0x15 : byte))],
  ["the export with every digit a letter", bytes.map((byte) => (byte >= 48 && byte <= 57 ? 120 : byte))]
]

const robust: Law = {
  name: "reads hostile bytes, or refuses them with an adapter error",
  hold: (adapter, fixtures) =>
    Effect.forEach(
      fixtures,
      (fixture) =>
        Effect.gen(function* () {
          const [file, ...others] = fixture.input.files
          if (file === undefined) return
          const chunks = yield* Stream.runCollect(file.bytes)
          for (const [what, bytes] of hostile(Uint8Array.from(Buffer.concat(chunks)))) {
            const input = { files: [{ name: file.name, bytes: Stream.make(bytes) }, ...others] }
            const exit = yield* Effect.exit(readAll(adapter, fixture, input))
            const isSound =
              Exit.isSuccess(exit) ||
              exit.cause.reasons.every(
                (reason) => reason._tag === "Fail" && Option.isSome(Adapter.adapterErrorOf(reason.error))
              )
            yield* holds(
              isSound,
              () =>
                `${fixture.name}: it breaks off on ${what} in ${file.name}: expect any bytes, and fail with AdapterError`
            )
          }
        }),
      { discard: true }
    )
}

const encoder = new TextEncoder()

const withoutLists = (value: unknown, depth = 0): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return [null, "unauthorised"]
  if (value === null || typeof value !== "object" || depth > 2) return []
  return Object.entries(value).flatMap(([key, part]) =>
    withoutLists(part, depth + 1).map((other) => ({ ...value, [key]: other }))
  )
}

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

const noLists = (value: unknown): ReadonlyArray<unknown> =>
  value === undefined ? [] : [null, 42, "unauthorised", { error: "unauthorised" }, ...withoutLists(value)]

const neverEmpty: Law = {
  name: "reports anything that is not a list as an error of the export, and never as an empty day",
  hold: (adapter, fixtures) =>
    Effect.forEach(
      fixtures,
      (fixture) =>
        Effect.gen(function* () {
          const [file, ...others] = fixture.input.files
          if (file === undefined || others.length > 0) return
          const value = parsed(Uint8Array.from(Buffer.concat(yield* Stream.runCollect(file.bytes))))
          for (const other of noLists(value)) {
            const text = JSON.stringify(other)
            const input = { files: [{ name: file.name, bytes: Stream.make(encoder.encode(text)) }] }
            const read = yield* Effect.result(readAll(adapter, fixture, input))
            yield* holds(
              Result.isFailure(read) || read.success.length > 0,
              () =>
                `${fixture.name}: ${text.slice(0, 60)} in the place of ${file.name} is read as a day without documents: fail where the list is not there`
            )
          }
        }),
      { discard: true }
    )
}

/** Properties of the fixtures without which the other laws cannot find a fault. */
const telling: Law = {
  name: "has fixtures with a credit note, a skipped record, an unreadable one, several lines and two files",
  hold: (adapter, fixtures) =>
    Effect.gen(function* () {
      const readings = (yield* Effect.forEach(fixtures, (fixture) => readAll(adapter, fixture, fixture.input))).flat()
      const documents = readings.filter(isDocument)
      const facts = JSON.stringify(readings.map(factsOf) satisfies ReadonlyArray<Json>)
      const missing = [
        [documents.some(({ kind }) => kind === "credit-note"), "a credit note"],
        [documents.some(({ kind }) => kind === "invoice"), "an invoice"],
        [documents.some(({ lines }) => lines.length > 1), "a document of several lines"],
        [readings.some(({ _tag }) => _tag === "Skipped"), "something that is skipped: a draft, a bill"],
        [
          documents.some(({ findings }) => findings.length > 0),
          "a document with something unreadable in it, as a quantity of `three`"
        ],
        [fixtures.some(({ input }) => input.files.length > 1), "an export of two files"],
        [/\p{L}/u.test(facts.replace(/[a-z]/gi, "")), "a text with a letter beyond ASCII, as Söhne"],
        [/\d\.\d{17,}|\d{17,}/.test(facts), "a figure of more than 17 digits, which no floating-point number holds"]
      ].flatMap(([isThere, what]) => (isThere === true ? [] : [what as string]))
      yield* holds(missing.length === 0, () => `the fixtures show the adapter no ${missing.join("; no ")}: add it`)
    })
}

/** All laws, starting with those that find a fault fastest. */
export const laws: ReadonlyArray<Law> = [
  accounted,
  reviewed,
  identified,
  ordered,
  placed,
  unmoved,
  reordered,
  ofCore,
  robust,
  neverEmpty,
  telling
]
