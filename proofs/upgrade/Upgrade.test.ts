import { assert, describe, it } from "../../packages/core/test/It.ts"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { Effect } from "effect"
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import {
  connector,
  exampleResult,
  folderWith,
  key,
  lines,
  secret,
  taxes,
  taxMappings
} from "../../packages/cli/test/RunningConnector.ts"

const fixtures = join(import.meta.dirname, "../../fixtures/upgrade")
const devices = { main: 1001, states: 1002, branch: 1003, depot: 1004, kiosk: 1005 }

const currencyMappings = ["USD", "ZAR"].map((code) => ({ sourceCurrency: code, destinationCurrency: code }))

// The command's environment has the secrets of an account named main.
const keyOf = (name: string) => (name === "main" ? key : `key-of-${name}`)
const secretOf = (name: string) => (name === "main" ? secret : `secret-of-${name}`)

/**
 * Documents whose gateway no longer exists: their next look is next year, so that no run waits for
 * it.
 */
const postponed = new Set(["STATES-I-NAMED", "STATES-I-ACCEPTED"])
const postpone = (store: string) => {
  const db = new DatabaseSync(store)
  db.exec(
    "update fiscal_attempt set poll_at = poll_at + 31536000000 where poll_at is not null; pragma journal_mode = delete"
  )
  db.close()
}

/**
 * Returns a folder with the files of the version, and a gateway with its devices, which has not
 * received any document yet.
 */
const upgrading = Effect.fnUntraced(function* (version: string) {
  const cwd = yield* folderWith()
  for (const file of ["store.sqlite", "export.csv", "export.book.json"])
    copyFileSync(join(fixtures, version, file), join(cwd, file))
  const names = Object.keys(devices)
  const sandbox = yield* Sandbox.make({
    processingDelayMillis: 20,
    accounts: Object.entries(devices).map(([name, device]) => ({
      name,
      key: keyOf(name),
      secret: secretOf(name),
      application: "test",
      station: "test",
      device,
      taxMappings,
      currencyMappings
    })),
    devices: Object.entries(devices).map(([name, deviceId]) => ({
      deviceId,
      isLive: name === "branch",
      taxes,
      supportedCurrencies: ["USD", "ZAR"]
    }))
  })
  const written = readFileSync(join(fixtures, version, "account.json"), "utf8")
  let account = written.replaceAll("http://127.0.0.1:1", sandbox.url)
  for (const name of names) {
    writeFileSync(join(cwd, `key-of-${name}`), keyOf(name), { mode: 0o600 })
    writeFileSync(join(cwd, `secret-of-${name}`), secretOf(name), { mode: 0o600 })
    const given = `"${name}": { "keyFile": "key-of-${name}", "secretFile": "secret-of-${name}",`
    account = account.replace(`"${name}": {`, given)
  }
  writeFileSync(join(cwd, "account.json"), account)
  const store = join(cwd, "store.sqlite")
  postpone(store)
  return {
    cwd,
    sandbox,
    store,
    resume: (account: string) =>
      connector(["resume", "--config", "account.json", "--account", account, "--live"], { cwd }),
    resumeAll: Effect.forEach(names, (name) =>
      connector(["resume", "--config", "account.json", "--account", name, "--live"], { cwd })
    ),
    say: (number: string, ...decision: ReadonlyArray<string>) =>
      connector(["resolve", "--store", store, number, ...decision, "--because", "looked at in the portal"]),
    /** Returns the numbers of all arrived documents, sorted; asserts that each arrived once. */
    arrived: Effect.map(sandbox.control.accepted, (documents) => {
      for (const { accepted, number } of documents) assert.strictEqual(accepted, 1, number)
      return documents.map(({ number }) => number).toSorted()
    }),
    states: Effect.map(
      connector(["list", "--store", store, "--json"]),
      ({ out }) =>
        new Map(
          lines(out)
            // A registered original has no state.
            .filter(({ state }) => state !== undefined)
            .map(({ number, state }) => [String(number), String(state)])
        )
    )
  }
})

const untouched = ["BRANCH-C-1", "BRANCH-I-2", "BRANCH-I-3", "DEPOT-I-1", "DEPOT-I-2"]

for (const version of readdirSync(fixtures).filter((name) => !name.includes("."))) {
  describe(`a store written by version ${version}`, () => {
    it.live("recognizes its export when it is imported again: nothing is sent", function* () {
      const { arrived, cwd } = yield* upgrading(version)
      const args = ["import", "csv", "export.csv", "--config", "account.json", "--account", "main", "--json"]
      const { code, err, out } = yield* connector(args, { cwd })
      assert.strictEqual(code, 0, err)
      assert.deepInclude(lines(out).at(-1), exampleResult)
      assert.deepStrictEqual(yield* arrived, [])
    })

    it.live("continues after the upgrade: unsent documents are sent once, and nothing else", function* () {
      const { arrived, resumeAll, states } = yield* upgrading(version)
      const before = yield* states
      for (const { code, err } of [...(yield* resumeAll), ...(yield* resumeAll)]) {
        assert.include([0, 3], code, err)
      }
      assert.deepStrictEqual(yield* arrived, untouched)
      const after = yield* states
      for (const [number, state] of before) {
        if (untouched.includes(number)) assert.notStrictEqual(after.get(number), "Planned", number)
        // The arrival of its request is unknown.
        else assert.strictEqual(after.get(number), number === "KIOSK-I-1" ? "Unknown" : state, number)
      }
    })

    it.live("lets the operator correct an entered request id at once", function* () {
      const { say, states } = yield* upgrading(version)
      const { code, err } = yield* say("STATES-I-NAMED", "--accepted", "REQ-i-named-right-1")
      assert.strictEqual(code, 0, err)
      assert.strictEqual((yield* states).get("STATES-I-NAMED"), "Accepted")
      // An operator cannot correct the gateway's own answer.
      const other = yield* say("STATES-I-ACCEPTED", "--not-processed")
      assert.strictEqual(other.code, 1, other.out)
    })

    it.live("lets the operator bring every document to a final state", function* () {
      const { arrived, cwd, resume, resumeAll, say, states, store } = yield* upgrading(version)
      yield* resumeAll
      // the numbers of the store have one gap, which may be of a lost part of it: it is asked about
      const others = ["device", "others", "--config", "account.json", "--account", "states", "--because", "a till"]
      assert.strictEqual((yield* connector(others, { cwd })).code, 0)
      yield* say("STATES-I-UNKNOWN", "--not-processed")
      // The process was found dead a moment ago: its request may still arrive.
      yield* say("KIOSK-I-1", "--not-processed", "--although-recent")
      for (const [number, ...decision] of [
        ["STATES-I-DECLINED", "--resend"],
        ["STATES-I-CORRECTABLE", "--resend"],
        ["STATES-I-EXPIRED", "--fiscalised", "--verification", "AAAA-1"],
        ["STATES-I-DOUBLE", "--acknowledged"]
      ] as const) {
        const { code, err } = yield* say(number, ...decision)
        assert.strictEqual(code, 0, `${number}: ${err}`)
      }
      const withdrawn = yield* connector(["withdraw", "--store", store, "STATES-I-REVISED", "--because", "it is there"])
      assert.strictEqual(withdrawn.code, 0, withdrawn.err)
      yield* resume("kiosk")
      // Documents that became late behind an operator's decision are released again; a credit
      // note follows its original.
      for (let round = 0; round < 4; round++) {
        for (const [number, state] of yield* states) if (state === "Held") yield* say(number, "--resend")
        yield* resume("states")
      }
      yield* arrived
      const ends = new Set(["Fiscalised", "Rejected", "Withdrawn"])
      const left = [...(yield* states)].filter(([number, state]) => !ends.has(state) && !postponed.has(number))
      assert.deepStrictEqual(left, [])
    })
  })
}
