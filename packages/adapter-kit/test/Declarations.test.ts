/**
 * Declarations that authors of adapters rely on: code that compiles, and code that must not. `pnpm
 * types` is the test; the assertion below only uses the names.
 */
import { assert, it } from "@effect/vitest"
import { defineAdapter, type Item, type KitAdapter } from "@fiscal-connector/adapter-kit"
import type { Adapter } from "../../core/src/source/Adapter.ts"
import type { Money } from "../../core/src/document/Money.ts"
import { Schema } from "effect"

/** Returns true; does not compile if the two types differ. */
type Same<A, B> = [A, B] extends [B, A] ? true : false
const same = <A, B>(is: Same<A, B>): boolean => is

const adapter = defineAdapter({
  name: "acme",
  options: { since: Schema.optionalKey(Schema.String) },
  async *read(file, { cancel, document, json, options, skip }) {
    assert.isTrue(same<typeof options.since, string | undefined>(true))
    for await (const row of json.items(file)) {
      const kind = row.choice("type", { sale: "invoice", refund: "credit-note" })
      assert.isTrue(same<typeof kind, "invoice" | "credit-note" | undefined>(true))
      if (row.flag("void")) yield cancel(row, { kind: "invoice", id: row.text("id"), number: row.text("ref") })
      // @ts-expect-error a record is skipped for a reason
      else if (row.flag("draft")) yield skip(row)
      else
        yield document(row, {
          kind,
          id: row.text("id"),
          number: row.text("ref"),
          date: row.date("date"),
          currency: row.text("currency"),
          taxMode: "exclusive",
          // @ts-expect-error a figure is read by its cell, so that it is exact and has a place
          lines: row.each("lines", (line) => ({ description: line.text("label"), quantity: 2, unitPrice: 9.99 }))
        })
    }
  }
})

it("a reader returns the types that a document accepts, and an adapter has the type of core's port", () => {
  const read = (row: Item) => [row.minor("amount", "USD"), row.minor("amount", 2), row.optional.minor("amount", "USD")]
  assert.isTrue(same<ReturnType<typeof read>, Array<Money | undefined>>(true))
  const asPort: Adapter<{ readonly since?: string }> = adapter
  const withKit: KitAdapter<{ readonly since?: string }> = adapter
  assert.strictEqual(asPort.name, withKit.name)
})
