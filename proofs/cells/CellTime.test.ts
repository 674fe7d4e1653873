import { assert, describe, it } from "@effect/vitest"
import type { Reading } from "../../packages/core/src/source/Adapter.ts"
import { Effect, Stream } from "effect"
import { given } from "../Given.ts"
import * as CellTime from "./CellTime.ts"

const { count, extent, seed } = given("cell-time")

/** Returns the fields to measure: every third in a sample, selected by the seed. */
const fieldsOf = ({ fields }: CellTime.Subject) => fields.filter((_, n) => extent === "full" || n % 3 === seed % 3)

/** Adapters into which a sample plants a quadratic pattern: one, selected by the seed. */
const isPlanted = (subject: CellTime.Subject) =>
  extent === "full" || subject === CellTime.subjects[(seed - 1) % CellTime.subjects.length]

/** Fields that an adapter reads as the description of a line. */
const descriptions = [/\/item_name$/, /description$|account\.move\.line\/.*name$/i]

const descriptionOf = ({ fields }: CellTime.Subject) =>
  descriptions.flatMap((pattern) => fields.find((name) => pattern.test(name)) ?? [])[0]

describe.each(CellTime.subjects.map((subject) => [subject.name, subject] as const))("a long cell, %s", (_, subject) => {
  it("is read in time proportional to its length, in every field", async () => {
    const drawn = { ...subject, fields: fieldsOf(subject) }
    const slow = await CellTime.slowFields(drawn, CellTime.pumps.slice(0, count))
    assert.strictEqual(
      slow.map((one) => `${one.field} ${JSON.stringify(one.pump)} ${one.ratio.toFixed(2)}`).join("; "),
      ""
    )
  })

  it("is measured in an export that the adapter reads as a document", async () => {
    const field = descriptionOf(subject) ?? subject.fields[0]!
    const bytes = await subject.exportWith(field, "Pen")
    const readings = await Effect.runPromise(Stream.runCollect(subject.read(bytes)))
    assert.include(
      readings.map(({ _tag }) => _tag),
      "SourceDocument"
    )
  })

  it.runIf(isPlanted(subject))("is detected as slow with a quadratic pattern in the adapter", async () => {
    const field = descriptionOf(subject)!
    const part = CellTime.partShowing(/ +$/, 2 * (subject.shorter?.(field) ?? CellTime.usualShorter))
    const searched = (text: string) => `${text.slice(0, Math.floor(text.length * part))}x`.replace(/ +$/, "")
    const textOf = (reading: Reading) =>
      reading._tag === "SourceDocument" ? reading.lines.map(({ description }) => description ?? "").join("") : ""
    const slow: CellTime.Subject = {
      ...subject,
      fields: [field],
      read: (bytes) => subject.read(bytes).pipe(Stream.map((reading) => (searched(textOf(reading)), reading)))
    }
    const found = await CellTime.slowFields(slow, [" "])
    assert.deepStrictEqual(
      found.map((one) => one.field),
      [field]
    )
  })
})
