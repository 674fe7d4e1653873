import { assert, describe, it } from "../../core/test/It.ts"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith } from "./RunningConnector.ts"

const base = `{ "version": 1, "zone": "+02:00",
  "taxes": [{ "from": ["Standard"], "until": "2025-12-31", "code": "VAT15", "device": 1, "percent": "15" },
            { "from": ["Standard"], "since": "2026-01-01", "code": "VAT155", "device": 515, "percent": "15.5" }],
  "currencies": [{ "from": ["US$"], "code": "USD", "device": "USD" }] }`

describe("connector book", () => {
  it.live("checks books together with their base book, and reports all problems of all files at once", function* () {
    const cwd = yield* folderWith()
    const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)
    write("base.book.json", base)
    write(
      "north.book.json",
      `{ "version": 1, "extends": "base.book.json", "taxes": [{ "code": "EXEMPT", "device": 3, "percent": null }] }`
    )
    write("south.book.json", `{ "version": 1, "extends": "base.book.json",\n "late": "never" }`)
    write("lost.book.json", `{ "version": 1, "extends": "nowhere.book.json" }`)
    const check = (...names: ReadonlyArray<string>) =>
      connector(["book", "check", ...names.map((name) => join(cwd, name))])
    const good = yield* check("base.book.json", "north.book.json")
    assert.strictEqual(good.code, 0, good.err)
    assert.include(good.out, "north.book.json: in order; tax codes EXEMPT, VAT15, VAT155; currencies USD")
    const bad = yield* check("north.book.json", "south.book.json", "lost.book.json")
    assert.strictEqual(bad.code, 1)
    assert.include(bad.out, "north.book.json: in order")
    assert.match(bad.err, /BOOK_SHAPE \(error\)\n +\S*south\.book\.json:2:10 +late: /)
    assert.match(bad.err, /BOOK_BASE[\s\S]*nowhere\.book\.json cannot be read/)
  })

  it.live("explains a spelling on a given day or at any time, and reports an unknown spelling", function* () {
    const cwd = yield* folderWith()
    writeFileSync(join(cwd, "base.book.json"), base)
    const explain = (...args: ReadonlyArray<string>) =>
      connector(["book", "explain", ...args, "--book", join(cwd, "base.book.json")])
    assert.include(
      (yield* explain("Standard", "2025-12-31")).out,
      '"Standard" on 2025-12-31 is tax code VAT15: device tax 1, 15 %'
    )
    const other = yield* explain("VAT15", "2026-01-01")
    assert.strictEqual(other.code, 0)
    assert.include(other.out, '"VAT15" is not a tax on 2026-01-01\nat another time it is tax code VAT15')
    assert.include((yield* explain("US$")).out, '"US$" is the currency USD, on the device USD')
    const unknown = yield* explain("standard")
    assert.strictEqual(unknown.code, 1)
    assert.include(unknown.err, 'It has "Standard"')
  })
})
