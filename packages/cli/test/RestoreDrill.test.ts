// slow: fifteen commands, as an operator types them
/**
 * Restore drill of docs/run.md#the-store: the store is lost, a timed backup replaces the store, and
 * nothing is sent twice.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { commandsIn, pasted, pastedWithReason, withReason } from "./PrintedCommands.ts"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"
import { book, sales } from "./SalesExport.ts"

const upgrades = join(import.meta.dirname, "../../../fixtures/upgrade")

/**
 * Moves the store's times back: an operator who looks documents up takes longer than the quiet
 * period.
 */
const tenMinutesOn = (store: string) => {
  const db = new DatabaseSync(store)
  db.exec(`update fiscal_attempt set begun_at = begun_at - 600000, finished_at = finished_at - 600000;
    update fiscal_store set accepted_at = accepted_at - 600000`)
  db.close()
}

describe("connector store backup --keep", () => {
  it.live("writes into a folder, keeps the newest backups, and says so; a wrong number deletes nothing", function* () {
    const cwd = yield* folderWith()
    copyFileSync(join(upgrades, "bc82904f/store.sqlite"), join(cwd, "fiscal-connector.db"))
    const backup = (...args: ReadonlyArray<string>) => connector(["store", "backup", ...args, "backups"], { cwd })
    const first = yield* backup("--keep", "1")
    assert.match(
      first.out,
      /\/backups\/fiscal-connector-f6d24c2a-\d{8}T\d{6}Z\.db: \d+ bytes, 74 documents\n1 backup kept\n$/
    )
    const [made] = lines((yield* backup("--keep", "1", "--json")).out)
    assert.deepStrictEqual([made!["kept"], made!["removed"]], [1, [/fiscal-\S+\.db/.exec(first.out)![0]]])
    for (const keep of ["0", "-3"]) {
      const { code, err } = yield* backup(`--keep=${keep}`)
      assert.deepStrictEqual([code, err], [1, "--keep is to be 1 or more. Nothing was written or deleted.\n"])
    }
    assert.lengthOf(
      readdirSync(join(cwd, "backups")).filter((name) => name.endsWith(".db")),
      1
    )
  })

  it.live("asks for a file name if the store is too old to have an id", function* () {
    const cwd = yield* folderWith()
    copyFileSync(join(upgrades, "4ab5620/store.sqlite"), join(cwd, "fiscal-connector.db"))
    const { code, err } = yield* connector(["store", "backup", "--keep", "2", "backups"], { cwd })
    assert.strictEqual(code, 1)
    assert.include(err, "back it up to a file that you name, not to a folder")
    assert.deepStrictEqual(readdirSync(cwd), ["fiscal-connector.db"])
  })
})

describe("a lost store", () => {
  it.live("is restored from the newest backup, and every document is fiscalised once", function* () {
    const cwd = yield* folderWith(book)
    const sandbox = yield* gatewayFor(cwd)
    const store = join(cwd, "fiscal-connector.db")
    const run = (...args: ReadonlyArray<string>) => connector([...args, "--config", "account.json"], { cwd })
    const importing = (name: string) => run("import", "csv", name, "--book", book)
    writeFileSync(join(cwd, "monday.csv"), sales(1, 2))
    writeFileSync(join(cwd, "tuesday.csv"), sales(3, 4))
    writeFileSync(join(cwd, "wednesday.csv"), sales(5))
    assert.strictEqual((yield* importing("monday.csv")).code, 0)

    // INV-3 and INV-4 are planned when the backup is made, and sent after it. INV-5 is not in the
    // backup.
    yield* sandbox.control.addFault({ kind: "error", status: 401, operations: ["submitInvoice"] })
    yield* importing("tuesday.csv")
    assert.strictEqual((yield* run("store", "backup", "--keep", "14", "backups")).code, 0)
    yield* sandbox.control.clearFaults
    // The lane pauses for a moment after the 401.
    yield* Effect.repeat(run("resume"), { until: ({ code }) => code === 0, times: 50 })
    assert.strictEqual((yield* importing("wednesday.csv")).code, 0)
    assert.lengthOf(yield* sandbox.control.receipts, 5)

    for (const end of ["", "-wal", "-shm"]) rmSync(`${store}${end}`, { force: true })
    const newest = readdirSync(join(cwd, "backups"))
      .filter((name) => name.endsWith(".db"))
      .toSorted()
      .at(-1)!
    copyFileSync(join(cwd, "backups", newest), store)
    const refused = yield* run("resume")
    assert.strictEqual(refused.code, 1)
    assert.include(refused.err, "STORE_OLDER")
    assert.strictEqual(
      (yield* run("store", "accept-older", "--because", "the disk broke; this is the newest copy")).code,
      0
    )

    /** Numbers that the gateway's portal shows. */
    const portal = Effect.map(sandbox.control.receipts, (receipts) =>
      receipts.map(({ documentNumber }) => documentNumber)
    )
    const held = Effect.map(run("list", "--state", "Held", "--json"), ({ out }) =>
      lines(out).map(({ number }) => String(number))
    )
    assert.sameMembers([...(yield* held)], ["INV-3", "INV-4"])
    // A document newer than the backup is also held when imported again.
    yield* importing("wednesday.csv")
    assert.sameMembers([...(yield* held)], ["INV-3", "INV-4", "INV-5"])
    tenMinutesOn(store)
    for (const number of yield* held) {
      assert.include(yield* portal, number)
      assert.strictEqual((yield* run("withdraw", number, "--because", "the portal has it")).code, 0)
    }
    assert.strictEqual((yield* run("resume")).code, 0)

    // A new invoice of such a day is held as well: the portal does not have it, and the
    // operator's decision releases it.
    writeFileSync(join(cwd, "thursday.csv"), sales(6))
    yield* importing("thursday.csv")
    assert.deepStrictEqual([yield* held, (yield* portal).includes("INV-6")], [["INV-6"], false])
    assert.strictEqual((yield* run("resolve", "INV-6", "--resend", "--because", "not in the portal")).code, 0)
    yield* Effect.repeat(run("resume"), { until: ({ code }) => code === 0, times: 50 })

    // Finally everything is imported again.
    writeFileSync(join(cwd, "all.csv"), sales(1, 2, 3, 4, 5, 6))
    yield* importing("all.csv")
    const accepted = yield* sandbox.control.accepted
    assert.isTrue(accepted.every(({ receipts }) => receipts === 1))
    assert.sameMembers([...(yield* portal)], ["INV-1", "INV-2", "INV-3", "INV-4", "INV-5", "INV-6"])
    const stored = lines((yield* run("list", "--json")).out)
    assert.deepStrictEqual(stored.map(({ number, state }) => `${String(number)} ${String(state)}`).toSorted(), [
      "INV-1 Fiscalised",
      "INV-2 Fiscalised",
      "INV-3 Withdrawn",
      "INV-4 Withdrawn",
      "INV-5 Withdrawn",
      "INV-6 Fiscalised"
    ])
  })
})

describe("an older copy that an operator accepts without a look", () => {
  for (const [name, typed] of [
    ["as printed", (line: string) => line],
    ["with any reason in its place", withReason]
  ] as const) {
    it.live(`makes no second receipt if every command of health is pasted ${name}`, function* () {
      const cwd = yield* folderWith(book)
      const sandbox = yield* gatewayFor(cwd)
      const store = join(cwd, "fiscal-connector.db")
      const run = (...args: ReadonlyArray<string>) => connector([...args, "--config", "account.json"], { cwd })
      writeFileSync(join(cwd, "monday.csv"), sales(1, 2, 3))
      yield* sandbox.control.addFault({ kind: "error", status: 401, operations: ["submitInvoice"] })
      yield* run("import", "csv", "monday.csv", "--book", book)
      assert.strictEqual((yield* run("store", "backup", "older.db")).code, 0)
      yield* sandbox.control.clearFaults
      // The lane pauses for a moment after the 401.
      yield* Effect.repeat(run("resume"), { until: ({ code }) => code === 0, times: 50 })
      assert.lengthOf(yield* sandbox.control.receipts, 3)
      for (const end of ["", "-wal", "-shm"]) rmSync(`${store}${end}`, { force: true })
      copyFileSync(join(cwd, "older.db"), store)
      assert.include((yield* run("resume")).err, "STORE_OLDER")

      const [accept = ""] = commandsIn((yield* run("health")).out)
      const unread = yield* pasted(accept, cwd)
      assert.deepStrictEqual([unread.code, /only marks its place/.test(unread.err + unread.out)], [1, true])
      assert.strictEqual((yield* pastedWithReason(accept, cwd)).code, 0)
      assert.strictEqual((yield* run("resume")).code, 3, "every document waits for the operator")
      tenMinutesOn(store)
      for (let round = 0; round < 4; round++) {
        const done = new Set<string>()
        const left = [...commandsIn((yield* run("health")).out)].toReversed()
        for (let line = left.pop(); line !== undefined; line = left.pop()) {
          if (done.has(line) || line.endsWith("--help")) continue
          done.add(line)
          const { err, out } = yield* pasted(typed(line), cwd)
          // A preview prints its confirmation, and a decision the command that goes on.
          left.push(...commandsIn(`${out}\n${err}`).toReversed())
        }
      }
      assert.lengthOf(yield* sandbox.control.receipts, 3, "no second receipt")
      const reasons = lines((yield* run("audit", "--json")).out).map(({ because }) => String(because))
      assert.notMatch(reasons.join(), /portal|<|>/, "no reason that the operator did not give")
    })
  }
})
