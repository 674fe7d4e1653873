import { assert, describe, it } from "../../core/test/It.ts"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { states } from "../../core/src/submission/Submission.ts"
import * as AllCodes from "../src/why/AllCodes.ts"
import { pages } from "../../../scripts/pages/Pages.ts"
import { connector } from "./RunningConnector.ts"

const root = join(import.meta.dirname, "../../..")
const sources = ["core", "adapter-csv", "adapter-xlsx", "adapter-xero-like", "cli"].flatMap((name) =>
  readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(root, "packages", name, "src", file), "utf8"))
)

const allCodes = await AllCodes.allCodes()

describe("the entry of a code", () => {
  it("exists for every code of every catalogue and for every rule in the sources", () => {
    const inSources = sources.flatMap((text) => [
      ...text.matchAll(/^ {2}([A-Z][A-Z0-9_]+): \{\n {4}severity:/gm),
      ...text.matchAll(/\brule\(\s*"([A-Z0-9_]+)"/g)
    ])
    assert.isAbove(inSources.length, 100)
    const known = new Set(allCodes.map(({ code }) => code))
    assert.deepStrictEqual(
      inSources.map((match) => match[1]!).filter((code) => !known.has(code)),
      []
    )
  })

  it("is unique, states consequence and next step, and ends its sentences", () => {
    assert.strictEqual(new Set(allCodes.map(({ code }) => code.toLowerCase())).size, allCodes.length)
    for (const { code, consequence, fix, meaning } of allCodes) {
      assert.match(meaning, /^[A-Z].{10,}[^.]$/, code)
      for (const text of [consequence, fix]) assert.match(text, /^\S.{10,}[.:…)]$/s, code)
    }
  })

  it("has its page in docs/errors, and every page is current (pnpm run docs writes them)", () => {
    const written = pages()
    for (const [file, text] of written) assert.strictEqual(readFileSync(join(root, file), "utf8"), text, file)
    const found = readdirSync(join(root, "docs/errors")).map((name) => `docs/errors/${name}`)
    assert.deepStrictEqual(
      found.filter((file) => !written.has(file)),
      []
    )
  })
})

describe("connector why", () => {
  it.live("leads from a code of an earlier version to the codes that replaced it", function* () {
    for (const asked of ["HELD_PERSON", "held: HELD_PERSON (2 documents)"]) {
      const { code, out } = yield* connector(["why", asked])
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(out.match(/^HELD_\w+/gm), [
        "HELD_OPERATOR",
        "HELD_BEFORE_START",
        "HELD_OLDER_COPY",
        "HELD_REJECTION_UNCONFIRMED"
      ])
    }
  })

  it.live("prints the entry of a code, and the entries of all codes in an error text", function* () {
    const one = yield* connector(["why", "rcpt030"])
    assert.strictEqual(one.code, 0)
    assert.include(one.out, "The receipt date is not later than the date of the previous receipt")
    const text = yield* connector(["why", "failed with RCPT025 and RCPT999"])
    assert.strictEqual(text.code, 1)
    assert.include(text.out, "RCPT025: The device does not apply this tax")
    const near = yield* connector(["why", "RCPT25"])
    assert.strictEqual(near.code, 1)
    assert.include(near.err, "Nothing is known of RCPT25.")
    assert.include(near.err, "\nPerhaps it is:\n  connector why RCPT025")
    assert.include(text.out, "RCPT999: a code of the authority that this program does not know")
  })

  it.live("finds states, exit codes, statuses and system errors, in any letter case", function* () {
    for (const [asked, said] of [
      ["accepted", "STATE_ACCEPTED"],
      ["Fiscalised", "never sent again"],
      ["unknown", "not known whether a document arrived"],
      ["3", "Exit code 3: some documents are still open"],
      ["409", "Status 409"],
      ["404", "Check baseUrl and paths of the account"],
      ["econnrefused", "No program accepts connections at the address"],
      ["SQLITE_BUSY", "Another program locks the store"],
      ["connect ECONNREFUSED 127.0.0.1:4010", "No program accepts connections at the address"],
      ["StoreError: SQLITE_FULL: no room", "disk of the store is full"]
    ] as const) {
      const { code, out } = yield* connector(["why", asked])
      assert.strictEqual(code, 0, asked)
      assert.include(out, said)
    }
    for (const state of states) assert.strictEqual((yield* connector(["why", state])).code, 0, state)
  })

  it.live("finds words that mean a code, and reports unknown words", function* () {
    assert.include((yield* connector(["why", "mark-in-future"])).out, "LANE_MARK_IN_FUTURE")
    const nothing = yield* connector(["why", "\u001b[2Jnonsense"])
    assert.strictEqual(nothing.code, 1)
    assert.include(nothing.err, "\\u001b[2Jnonsense")
  })
})
