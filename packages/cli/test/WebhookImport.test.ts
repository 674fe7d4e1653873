/**
 * Whole imports with the real command and outcomes by webhook: one program sends, another receives
 * the outcomes.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import type { SandboxShape } from "@fiscal-connector/sandbox/Sandbox"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"
import { serving } from "./ServingConnector.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"]

/** Sets the time of the first look at /status: an hour, never reached in a test, or a second. */
const look = (folder: string, seconds: number) => {
  const file = join(folder, "account.json")
  const config = JSON.parse(readFileSync(file, "utf8")) as { readonly accounts: { readonly main: object } }
  const main = { ...config.accounts.main, assumptions: { "STAT-7": seconds } }
  writeFileSync(file, JSON.stringify({ accounts: { main } }))
}

const rejected = ["INV-0003", "INV-0017"]

/**
 * Starts a gateway that rejects two of the documents, an account, and `connector serve` registered
 * as its webhook.
 */
const served = Effect.gen(function* () {
  const folder = yield* folderWith(...files)
  const sandbox = yield* gatewayFor(folder)
  look(folder, 3600)
  yield* sandbox.control.addFault({ kind: "reject", error: "RCPT026: on request", documents: rejected })
  // `--lanes 0`: serve only receives deliveries. It would look after its own sent documents in an
  // hour.
  const { hook } = yield* serving(folder, ["--lanes", "0"])
  const results = yield* sandbox.webhooks.register("account-1", { url: hook, firstPauseMillis: 50 })
  assert.deepStrictEqual(
    results.filter(({ passed }) => !passed),
    []
  )
  yield* sandbox.webhooks.forgetDeliveries
  return { folder, sandbox }
})

const run = (folder: string, ...args: ReadonlyArray<string>) =>
  connector([...args, "--config", "account.json"], { cwd: folder })

const importing = (folder: string) => run(folder, "import", "csv", files[0]!)

/** Waits until the gateway has nothing more to deliver. */
const delivered = (sandbox: SandboxShape) =>
  Effect.gen(function* () {
    const [registration] = yield* sandbox.webhooks.registrations
    const open = (yield* sandbox.control.accepted).some(({ state }) => state === "pending")
    return registration?.waiting === 0 && !open
  }).pipe(Effect.delay("20 millis"), Effect.repeat({ until: (done) => done }))

const stored = (folder: string) => Effect.map(connector(["list", "--json"], { cwd: folder }), ({ out }) => lines(out))

/** Asserts that every document ended as in the gateway, with one receipt and its own proof. */
const endedRight = (folder: string, sandbox: SandboxShape) =>
  Effect.gen(function* () {
    const documents = yield* stored(folder)
    const receipts = new Map(
      (yield* sandbox.control.receipts).map(({ documentNumber, qrData }) => [documentNumber, qrData.VerificationCode])
    )
    assert.lengthOf(documents, 46)
    for (const { number, state, verificationCode } of documents) {
      const expected = rejected.includes(String(number))
        ? ["Rejected", ""]
        : ["Fiscalised", receipts.get(String(number))]
      assert.deepStrictEqual([state, verificationCode], expected, String(number))
    }
    const twice = (yield* sandbox.control.accepted).filter(({ accepted, receipts }) => accepted > 1 || receipts > 1)
    assert.deepStrictEqual(twice, [])
  })

/** Returns the number of status calls for outcomes; the test of the secret names no document. */
const statusCalls = (sandbox: SandboxShape) =>
  Effect.map(
    sandbox.control.calls,
    (calls) => calls.filter(({ documents, operation }) => operation === "status" && documents.length > 0).length
  )

/** Time limit for five processes and their pauses: about 15 seconds on this machine. */
const patience = 120_000

// slow: whole imports that wait for deliveries
describe("a whole import with outcomes by webhook", () => {
  it.live(
    "ends correctly without polling /status, with lost, doubled, early and unordered deliveries",
    function* () {
      const { folder, sandbox } = yield* served
      for (const [seed, kind] of (
        ["delivery-lost", "delivery-twice", "delivery-out-of-order", "delivery-early"] as const
      ).entries()) {
        yield* sandbox.control.addFault({ kind, probability: 0.2, seed })
      }
      yield* importing(folder)
      yield* delivered(sandbox)
      // Credit notes wait for their originals, so a second round is needed.
      yield* run(folder, "resume")
      yield* delivered(sandbox)
      yield* endedRight(folder, sandbox)
      assert.strictEqual(yield* statusCalls(sandbox), 0)
      const log = yield* sandbox.webhooks.deliveries
      const answers = Map.groupBy(log, ({ answer }) => answer)
      assert.sameMembers([...answers.keys()], [200, "lost"])
      assert.isAtLeast(answers.get("lost")!.length, 5)
      const ids = answers.get(200)!.map(({ requestIds }) => requestIds[0])
      assert.isAbove(ids.length, new Set(ids).size)
    },
    patience
  )

  it.live(
    "gets its outcomes by polling if every delivery is lost",
    function* () {
      const { folder, sandbox } = yield* served
      yield* sandbox.control.addFault({ kind: "delivery-lost" })
      look(folder, 1)
      const { code, err, out } = yield* importing(folder)
      // Two documents are rejected.
      assert.strictEqual(code, 2, out.slice(-1500) + err)
      yield* endedRight(folder, sandbox)
      assert.isAbove(yield* statusCalls(sandbox), 0)
      const log = yield* sandbox.webhooks.deliveries
      assert.isAtLeast(log.length, 46)
      assert.isTrue(log.every(({ answer }) => answer === "lost"))
    },
    patience
  )
})
