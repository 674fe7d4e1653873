/** Addresses without a part: left out, or sent as stated. */
import { assert, describe, it } from "@effect/vitest"
import * as WireCodec from "../../src/document/WireCodec.ts"
import { stamp } from "../../src/document/FiscalDocument.ts"
import { DateTime } from "effect"
import { translate } from "../../src/translate/translate.ts"
import { bookWith, invoice } from "../import/SampleSources.ts"

const source = invoice("INV-1", "2026-01-31", {
  buyer: { name: "A buyer", tin: "2000000001", address: { street: "Main Street", city: "Harbour" } }
})

const sent = (policies: object) => {
  const { findings, translated } = translate(source, bookWith({ policies }))
  const date = DateTime.makeZonedUnsafe("2026-01-31T08:00:00Z", { timeZone: "+02:00" })
  const body = JSON.parse(WireCodec.encode(stamp(translated!.document, date, "first"))) as {
    readonly BuyerContact: { readonly Address: unknown }
  }
  return { codes: findings.map(({ code }) => code), address: body.BuyerContact.Address }
}

describe("an address with a missing part", () => {
  it("is omitted, with a finding", () => {
    assert.deepStrictEqual(sent({}), { codes: ["ADDRESS_INCOMPLETE"], address: null })
  })

  it("is sent with empty text for missing parts with the book's setting as-stated (DOC-11)", () => {
    assert.deepStrictEqual(sent({ addresses: "as-stated" }), {
      codes: [],
      address: { Province: "", Street: "Main Street", HouseNo: "", City: "Harbour" }
    })
  })
})
