/**
 * Third-party adapter: loaded only if the operator names it, and never instead of a built-in one.
 */
import { create } from "create-fiscal-adapter/create"
import { afterAll, assert, describe, it } from "../../core/test/It.ts"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connector } from "./RunningConnector.ts"

const root = mkdtempSync(join(tmpdir(), "own-adapter-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

create("shop", root)
const home = join(root, "fiscal-adapter-shop")
symlinkSync(join(import.meta.dirname, "../node_modules"), join(home, "node_modules"))
const adapter = join(home, "src/adapter.ts")
const files = ["march", "april"].map((month) => join(home, `fixtures/two-files/${month}.json`))
const book = join(home, "fixtures/book.json")

const module = (name: string, text: string) => {
  const file = join(home, "src", name)
  writeFileSync(file, text)
  return file
}

const optionOf = (name: string, option: string) =>
  module(
    `${name}-${option}.ts`,
    `import { defineAdapter } from "@fiscal-connector/adapter-kit"
    import { Schema } from "effect"
    export default defineAdapter({ name: "${name}", options: { ${option}: Schema.optionalKey(Schema.String) }, async *read() {} })`
  )

// slow: runs the conformance suite of an adapter, and an import with it
describe("an adapter named with --adapter", () => {
  it.live("imports with its options as separate flags, and its file is printed", function* () {
    const whole = yield* connector(["import", "--adapter", adapter, ...files, "--sandbox", "--book", book])
    assert.strictEqual(whole.code, 0, whole.err)
    assert.include(whole.out, "3 documents: 2 fiscalised, 1 skipped")
    assert.match(whole.err, /^Adapter .*adapter\.ts, which runs with your rights\.$/m)
    const since = ["--shop-since", "2026-04-01"]
    const plan = yield* connector(["plan", "--adapter", adapter, ...since, ...files, "--sandbox", "--book", book])
    assert.include(plan.out, "before 2026-04-01: S-11")
    const help = yield* connector(["import", "--adapter", adapter, "--help"])
    assert.include(help.out, "--shop-since")
  })

  it.live("drafts a book, and a plan without a book prints the draft command", function* () {
    const drafted = join(root, "drafted.book.json")
    const { code, err, out } = yield* connector(["book", "draft", "--adapter", adapter, ...files, "--book", drafted])
    assert.strictEqual(code, 0, err)
    assert.include(out, "2 taxes, 2 currencies")
    const bookless = yield* connector(["import", "--adapter", adapter, files[0]!, "--sandbox"])
    assert.match(bookless.err, /connector book draft .*march\.json --adapter .*adapter\.ts/)
  })

  it.live("is a file or a package in this folder's node_modules; no other folder is searched", function* () {
    const shop = join(root, "shop")
    mkdirSync(join(shop, "node_modules"), { recursive: true })
    mkdirSync(join(shop, "below"))
    symlinkSync(home, join(shop, "node_modules/fiscal-adapter-shop"))
    const manifest = { "fiscal-connector": { adapter: "./src/adapter.ts" } }
    writeFileSync(join(home, "package.json"), JSON.stringify(manifest))
    const args = ["adapter", "dryrun", "--adapter", "fiscal-adapter-shop", ...files]
    const { err, out } = yield* connector(args, { cwd: shop })
    assert.include(out, "2 documents, 1 skipped", err)
    assert.match(out, /^(invoice|credit-note) \S+ \(id \S+\) at \S*march\.json/m)
    assert.match(out, /^ {2}line 1 \{.*\} at \S*march\.json/m)
    const below = yield* connector(args, { cwd: join(shop, "below") })
    assert.strictEqual(below.code, 1)
    assert.match(below.err, /There is no adapter fiscal-adapter-shop: no .*below.node_modules.*package\.json/)
  })

  it.live("must not have an option with the name of a built-in flag", function* () {
    for (const [name, option] of [
      ["first", "use"],
      ["send", "rest"],
      ["no", "live"],
      ["not", "before"]
    ] as const) {
      const { code, err } = yield* connector(["import", "--adapter", optionOf(name, option), ...files, "--sandbox"])
      assert.strictEqual(code, 1)
      assert.include(err, `would be --${name}-${option}, which is a flag of this command. Nothing was read`)
    }
  })

  it.live(
    "is refused in one sentence if it is invalid, for another version, or has the name of a built-in adapter",
    function* () {
      const made = (over: string) =>
        `import { defineAdapter } from "@fiscal-connector/adapter-kit"
        export default { ...defineAdapter({ name: "shop", async *read() {} }), ${over} }`
      for (const [file, said] of [
        [module("nothing.ts", "export const a = 1"), "is not an adapter: its default export is not what defineAdapter"],
        [module("throws.ts", 'throw new Error("no database")'), "cannot be loaded: Error: no database."],
        [
          module("later.ts", made("kit: 2")),
          "was made with version 2 of the adapter kit, and this command takes version 1"
        ],
        [module("csv.ts", made('name: "csv"')), "calls itself csv, as one does that comes with this command"],
        [join(home, "src/absent.ts"), "There is no adapter"],
        ["Not A Package", "is neither a file nor the name of a package"]
      ] as const) {
        const { code, err } = yield* connector(["import", "--adapter", file, ...files, "--sandbox"])
        assert.strictEqual(code, 1)
        assert.include(err, said)
        assert.notMatch(err, /^\s+at /m)
      }
    }
  )

  it.live("is checked with its fixtures, and failed checks are reported", function* () {
    const careless = module(
      "careless.ts",
      `import adapter from "./adapter.ts"
        import { Stream } from "effect"
        export default { ...adapter, read: (input, options) => Stream.filter(adapter.read(input, options), (reading) => reading._tag !== "Skipped") }`
    )
    const { code, out } = yield* connector([
      "adapter",
      "check",
      "--adapter",
      careless,
      "--fixtures",
      join(home, "fixtures")
    ])
    assert.strictEqual(code, 1)
    assert.match(
      out,
      /^FAIL {2}accounts for every record: everything: the export has 5 records, and the adapter returns 4 readings/m
    )
    const failed = out.match(/^FAIL /gm)!.length
    const held = out.match(/^ok /gm)!.length
    assert.include(out, `\n${held} of ${failed + held} hold.`)
  })
})
