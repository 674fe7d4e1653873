/**
 * `connector support-bundle` as its user runs it: the content of the file, and the data that must
 * be absent, whatever went wrong before.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { chmodSync, copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { SupportBundle } from "../src/support/SupportBundle.ts"
import { envelope } from "./Envelope.ts"
import { forms, found } from "../../core/test/leak/Planted.ts"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,CustomerTIN,CustomerVAT,CustomerPhone,CustomerEmail,Province,Street,HouseNo,City,Description,Quantity,UnitPrice,TaxCode,ProductCode,Reference\n"
const row = (number: string) =>
  `${number},2026-03-02,USD,inclusive,Grace Zeldaplant,2000667799,220066799,+263771234599,grace@zeldaplant.example,Plantedprovince,Zeldastreet,77-zeldahouse,Zeldacity,zelda lamp,1,10.00,Standard,85131000,zelda order\n`

const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }],
  defaults: { payment: "Cash" }
}

/** Personal and document data in the import, and texts written by an operator. */
const people = [
  "Zeldaplant",
  "2000667799",
  "220066799",
  "263771234599",
  "zeldaplant.example",
  "Plantedprovince",
  "Zeldastreet",
  "77-zeldahouse",
  "Zeldacity",
  "zelda lamp",
  "zelda order",
  "ZPLANT-",
  "85131000",
  "zeldaportal"
]

type ReadOf<Section> = Extract<Section, { readonly is: "read" }>

/** Bundle in which everything was readable. */
type Data = Pick<SupportBundle, "attempts"> & {
  readonly [Name in "configuration" | "book" | "store" | "health"]: ReadOf<SupportBundle[Name]>
} & { readonly doctor: ReadonlyArray<ReadOf<SupportBundle["doctor"][number]>> }

const bundleIn = (cwd: string, ...args: ReadonlyArray<string>) =>
  Effect.map(connector(["support-bundle", ...args], { cwd }), (ended) => ({
    ...ended,
    read: (name = "support-bundle.json") => {
      const text = readFileSync(join(cwd, name), "utf8")
      return { text, data: envelope(text).data as unknown as Data }
    }
  }))

/**
 * Asserts that a text contains no planted data in any form, no path of this machine, and no address
 * of the gateway.
 */
const assertClean = (text: string, cwd: string, ...more: ReadonlyArray<string>) => {
  assert.deepStrictEqual(found(text), [])
  for (const planted of [...people, cwd, "account.json", "127.0.0.1", ...more])
    for (const form of forms(planted)) assert.isFalse(Buffer.from(text).includes(form), planted)
}

/**
 * Returns a store with four documents: fiscalized, rejected with a text that quotes the buyer,
 * Unknown, and withdrawn by an operator.
 */
const imported = Effect.gen(function* () {
  const cwd = yield* folderWith()
  const sandbox = yield* gatewayFor(cwd)
  writeFileSync(join(cwd, "x.csv"), header + ["ZPLANT-1", "ZPLANT-2", "ZPLANT-3", "ZPLANT-4"].map(row).join(""))
  writeFileSync(join(cwd, "x.book.json"), JSON.stringify(book))
  yield* sandbox.control.addFault({
    kind: "reject",
    error: "RCPT026: Grace Zeldaplant of 77-zeldahouse Zeldastreet is not known, ZPLANT-2",
    documents: ["ZPLANT-2"],
    operations: ["submitInvoice"]
  })
  yield* sandbox.control.addFault({
    kind: "drop",
    stage: "after",
    documents: ["ZPLANT-3"],
    operations: ["submitInvoice"],
    times: 1
  })
  const first = yield* connector(["import", "csv", "x.csv", "--config", "account.json", "--log-level", "all"], { cwd })
  assert.strictEqual(first.code, 3, first.out + first.err)
  const health = yield* connector(["health", "--config", "account.json", "--json"], { cwd })
  // Logs and health are for operators: they name documents, but never persons.
  assert.include(first.err, "document-rejected")
  for (const planted of people.slice(0, 9)) assert.notInclude(first.err + health.out + health.err, planted)
  const said = yield* connector(["withdraw", "ZPLANT-4", "--because", "seen in zeldaportal"], { cwd })
  assert.strictEqual(said.code, 0, said.err)
  return cwd
})

// slow: the doctor repeats a refused connection before it reports it
describe("connector support-bundle", () => {
  it.live("contains diagnostic facts, but no key, secret, buyer or document; only its owner may read it", function* () {
    const cwd = yield* imported
    const { code, err, out, read } = yield* bundleIn(cwd, "-c", "account.json", "--book", "x.book.json")
    assert.strictEqual(code, 0, err)
    const { data, text } = read()
    assertClean(text, cwd)
    assertClean(out.replaceAll("support-bundle.json", ""), cwd)
    assert.match(out, /In it:[^]*Not in it:[^]*buyers/)
    assert.strictEqual(statSync(join(cwd, "support-bundle.json")).mode & 0o777, 0o600)
    // The search would find the data: the store contains all of it.
    const store = readFileSync(join(cwd, "fiscal-connector.db")).toString("latin1")
    for (const planted of people) assert.include(store, planted)

    assert.include(data.configuration.accounts[0], { is: "usable", gateway: "this-machine", key: "environment" })
    assert.include(data.book, { is: "read", taxes: 1, currencies: 1, payments: 0 })
    assert.deepInclude(data.store, {
      is: "read",
      counts: { Fiscalised: 1, Rejected: 1, Unknown: 1, Withdrawn: 1 },
      schema: data.store.knows
    })
    assert.match(data.store.id, /^[0-9a-f]{16}$/)
    assert.include(
      data.health.concerns.map(({ code }) => code),
      "UNKNOWN"
    )
    assert.deepInclude(data.health.lanes[0], { lane: "lane 1", environment: "test", accounts: 1 })
    const attempts = data.attempts.map(({ result, stage, status }) => [result, stage, status])
    assert.deepStrictEqual(attempts, [
      ["Unknown", "sent", null],
      ["Accepted", "answered", 200],
      ["Accepted", "answered", 200]
    ])
    const kept = data.doctor[0]!.checks.find(({ name }) => name === "store")
    assert.include(kept?.findings[0], { code: "STORE_NEEDS_LOOK" })
  })

  it.live("does not overwrite another file, and reports an invalid name", function* () {
    const cwd = yield* folderWith()
    writeFileSync(join(cwd, "support-bundle.json"), "mine")
    const taken = yield* bundleIn(cwd)
    assert.strictEqual(taken.code, 1)
    assert.match(taken.err, /support-bundle\.json already, and it is kept/)
    assert.strictEqual(readFileSync(join(cwd, "support-bundle.json"), "utf8"), "mine")
    const misspelled = yield* bundleIn(cwd, "-c", "acount.json", "--out", "b.json")
    assert.strictEqual(misspelled.code, 1)
    assert.include(misspelled.err, "There is no file acount.json")
    const nowhere = yield* bundleIn(cwd, "--out", "missing/b.json", "--json")
    assert.strictEqual(nowhere.code, 1)
    assert.include(String(lines(nowhere.out)[0]!["message"]), "cannot be written")
  })

  it.live("is written without the gateway, with a read-only store, and with a store of another version", function* () {
    const cwd = yield* folderWith()
    writeFileSync(join(cwd, "key"), "x")
    writeFileSync(
      join(cwd, "account.json"),
      JSON.stringify({
        accounts: {
          Zeldaaccount: {
            baseUrl: "http://127.0.0.1:1",
            application: "a",
            station: "s",
            keyFile: "key",
            assumptions: { "HOOK-3": "X-Zelda-Order", "HOOK-1": "array-or-item" }
          }
        },
        store: "older.db"
      })
    )
    copyFileSync(join(import.meta.dirname, "../../../fixtures/upgrade/4ab5620/store.sqlite"), join(cwd, "older.db"))
    chmodSync(join(cwd, "older.db"), 0o444)
    const before = readFileSync(join(cwd, "older.db"))
    const older = yield* bundleIn(cwd, "-c", "account.json", "--json")
    assert.strictEqual(older.code, 0, older.err)
    assert.strictEqual(lines(older.out)[0]!["file"], "support-bundle.json")
    const { data, text } = older.read()
    assertClean(text, cwd)
    assert.notInclude(text, "X-Zelda-Order")
    assert.deepStrictEqual(data.configuration.accounts[0]!.assumptions, [
      { id: "HOOK-1", is: "array-or-item" },
      { id: "HOOK-3", is: "other" }
    ])
    assert.isBelow(data.store.schema, data.store.knows)
    assert.strictEqual(data.store.is, "read")
    assert.isNotEmpty(data.attempts)
    const key = data.doctor[0]!.checks.find(({ name }) => name === "key")
    assert.deepInclude(key?.findings[0], { code: "GATEWAY_REFUSES_CONNECTION", why: ["NotSent"] })
    assert.isTrue(before.equals(readFileSync(join(cwd, "older.db"))))

    chmodSync(join(cwd, "older.db"), 0o644)
    const db = new DatabaseSync(join(cwd, "older.db"))
    db.exec("insert into fiscal_migrations (migration_id, name) values (999, 'later')")
    db.close()
    assert.strictEqual(
      (yield* connector(["support-bundle", "--store", join(cwd, "older.db"), "--out", join(cwd, "n.json")])).code,
      0
    )
    const newer: object = older.read("n.json").data.store
    assert.include(newer, { is: "not-read", because: "newer-version", schema: 999 })

    writeFileSync(
      join(cwd, "account.json"),
      `{ "accounts": { "Zeldaaccount": { "baseUrl": "https://u:zeldapass@h.example" } } }`
    )
    const broken = yield* bundleIn(cwd, "-c", "account.json", "--out", "c.json")
    assert.strictEqual(broken.code, 0, broken.err)
    const unusable = broken.read("c.json")
    assertClean(unusable.text, cwd, "h.example")
    assert.strictEqual(unusable.data.configuration.accounts[0]!.is, "unusable")
    assert.isNotEmpty(unusable.data.configuration.accounts[0]!.findings)
  })
})
