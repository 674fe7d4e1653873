/**
 * Tests the search itself: a leak of each kind is found, permitted places are not reported, and a
 * leaking test file fails.
 */
import { assert, describe, it } from "../It.ts"
import { Cause, Context, Data, Effect, Logger, Metric, Tracer } from "effect"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { lookAtFolders } from "./Folders.ts"
import { type Leak, taken } from "./Leaks.ts"
import { buyer, buyers, found, key, secret, secrets } from "./Planted.ts"
import { lookAtErrors, lookAtMetrics } from "./Watched.ts"

const root = join(import.meta.dirname, "../../../..")

/** Takes the leaks found so far, so that they do not fail this file. */
const leaked = (): ReadonlyArray<string> => taken().map(({ kind, text, what }: Leak) => `${kind}: ${what} ${text}`)

class Refused extends Data.TaggedError("Refused")<{ readonly message: string; readonly answer?: string }> {}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "leak-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("a planted text", () => {
  it("is found in every form of a secret, and not in other texts", () => {
    const forms = (text: string) => [
      `level=warn message="${text}"`,
      JSON.stringify({ attributes: [{ key: "http.header", value: { stringValue: text } }] }),
      Buffer.from(`user:${text}@host`).toString("base64"),
      Buffer.from(text).toString("hex"),
      Buffer.from(text, "utf16le"),
      Buffer.from(`\0\0${text}\0`),
      `fiscal_connector_submissions{account="${text}"} 1`,
      new Error(`no: ${text}`).stack!
    ]
    for (const text of [...secrets, ...buyers])
      for (const form of forms(text))
        assert.include(
          found(form).map((planted) => planted.text),
          text,
          String(form)
        )
    for (const form of forms("nothing of the kind")) assert.deepStrictEqual(found(form), [])
  })

  it("includes every buyer of the examples", () => {
    const named = ["historical-invoices.csv", "historical-invoices-with-faults.csv"].flatMap((name) =>
      Array.from(
        readFileSync(join(root, "examples", name), "utf8").matchAll(
          /^(?:[^,\n]+,){5}(?:"([^"]+)"|([^,\n]+)),\d{8,10},/gm
        ),
        (row) => row[1] ?? row[2]!
      )
    )
    assert.isAbove(new Set(named).size, 6)
    for (const name of new Set(named)) assert.isNotEmpty(found(name), name)
  })
})

describe("a leak", () => {
  it.effect("is found in a log line: text, annotations and cause, in any logger", function* () {
    yield* Effect.logWarning(`refused for ${buyer}`)
    assert.deepStrictEqual(leaked(), [`log: buyer ${buyer}`])
    yield* Effect.annotateLogs(Effect.logInfo("refused"), { key })
    assert.deepStrictEqual(leaked(), [`log: secret ${key}`])
    yield* Effect.logError("refused", Cause.die(new Error(secret)))
    assert.deepStrictEqual(leaked(), [`log: secret ${secret}`])
    const own = Logger.layer([Logger.make(() => undefined)])
    yield* Effect.provide(Effect.log({ of: buyer }), own)
    assert.deepStrictEqual(leaked(), [`log: buyer ${buyer}`])
  })

  it.effect("is found in a span: name, attributes and events", function* () {
    yield* Effect.withSpan(Effect.void, `of ${buyer}`)
    assert.deepStrictEqual(leaked(), [`span: buyer ${buyer}`])
    yield* Effect.withSpan(Effect.void, "named", { attributes: { header: { "x-api-key": key } } })
    assert.deepStrictEqual(leaked(), [`span: secret ${key}`])
    const event = Effect.flatMap(Effect.currentSpan, (span) => Effect.sync(() => span.event("said", 0n, { secret })))
    yield* Effect.withSpan(event, "named")
    assert.deepStrictEqual(leaked(), [`span: secret ${secret}`])
    assert.instanceOf(yield* Effect.makeSpan("native"), Tracer.NativeSpan)
  })

  it.effect("is found in a label of a metric", function* () {
    yield* Metric.update(Metric.withAttributes(Metric.counter("planted"), { account: key }), 1)
    lookAtMetrics()
    assert.deepStrictEqual(leaked(), [`metric: secret ${key}`])
    const registry = Context.get(Context.empty(), Metric.MetricRegistry)
    for (const [name, { id }] of registry) if (id === "planted") registry.delete(name)
  })

  it("is found in any created error: text, fields and cause", () => {
    assert.instanceOf(new Refused({ message: `no: ${key}` }), Error)
    assert.instanceOf(new Refused({ message: "no", answer: buyer }), Error)
    assert.instanceOf(new Cause.UnknownError(new Error(secret), "no"), Error)
    lookAtErrors()
    assert.deepStrictEqual(leaked(), [`error: secret ${key}`, `error: buyer ${buyer}`, `error: secret ${secret}`])
  })

  it("is found on the console and in the output of child processes, even if it is not read", async () => {
    console.warn("%s is here", buyer)
    assert.deepStrictEqual(leaked(), [`console: buyer ${buyer}`])
    execFileSync(process.execPath, ["-p", `process.argv[1]`, key])
    assert.deepStrictEqual(leaked(), [`process: secret ${key}`])
    const child = spawn(process.execPath, ["-e", "console.error(process.argv[1])", secret])
    child.stdout.resume()
    child.stderr.resume()
    await new Promise((ended) => child.on("close", ended))
    assert.deepStrictEqual(leaked(), [`process: secret ${secret}`])
  })

  it.effect("is found in a removed file, in a remaining file, and across the border of two chunks", function* () {
    const path = yield* folder
    writeFileSync(join(path, "x.log"), `Authorization: ${key}`)
    lookAtFolders()
    assert.deepStrictEqual(leaked(), [`file: secret ${key}`])
    rmSync(join(path, "x.log"))
    assert.deepStrictEqual(leaked(), [`file: secret ${key}`])
    const other = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "leak-")))
    writeFileSync(join(other, "long.pdf"), Buffer.concat([Buffer.alloc((1 << 20) - 5), Buffer.from(secret)]))
    yield* Effect.promise(() => rm(other, { recursive: true }))
    assert.deepStrictEqual(leaked(), [`file: secret ${secret}`])
    assert.deepStrictEqual(leaked(), [])
  })

  it.effect(
    "is found in a wrong column of a database in memory or in a file; the payload may contain buyers",
    function* () {
      const fill = (db: DatabaseSync) => {
        db.exec(
          "create table fiscal_payload (buyer text, body text); create table fiscal_alert (one integer, told text)"
        )
        db.prepare("insert into fiscal_payload values (?, ?)").run(buyer, `{"name":"${buyer}"}`)
        db.prepare("insert into fiscal_alert values (1, ?)").run(`refused for ${buyer}`)
        db.prepare("insert into fiscal_payload values (?, '')").run(key)
      }
      const memory = new DatabaseSync(":memory:")
      fill(memory)
      memory.close()
      assert.sameMembers([...leaked()], [`table: buyer ${buyer}`, `table: secret ${key}`])
      const path = yield* folder
      const file = new DatabaseSync(join(path, "x.db"))
      fill(file)
      file.close()
      assert.lengthOf(taken(), 0)
      lookAtFolders()
      assert.sameMembers([...leaked()], [`table: buyer ${buyer}`, `table: secret ${key}`, `file: secret ${key}`])
      writeFileSync(join(path, "x.db"), "")
    }
  )

  it("fails the leaking test file even if all its tests pass", () => {
    const vitest = join(root, "node_modules/vitest/vitest.mjs")
    const config = join(import.meta.dirname, "leaking/vitest.config.ts")
    const { status, stderr, stdout } = spawnSync(process.execPath, [vitest, "run", "--config", config], {
      cwd: root,
      encoding: "utf8"
    })
    const printed = stdout + stderr
    assert.strictEqual(status, 1, printed)
    assert.include(printed, "1 passed")
    assert.include(printed, `the buyer “${buyer}” came out in a log: of ${buyer}`)
    // The output of the other process was searched here as well.
    assert.include(leaked(), `process: buyer ${buyer}`)
  })
})
