/** Proves `examples/sync` as its page describes it: a sandbox with sources, a plan, a sending. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, examples, folderWith, lines } from "./RunningConnector.ts"

// slow: a sandbox, and two runs of the command

describe("the example of a live accounting system", () => {
  it.live("plans and sends with the two commands of its page", function* () {
    const folder = yield* folderWith()
    cpSync(examples, join(folder, "examples"), {
      recursive: true,
      filter: (path) => !/node_modules|promise|testing|\.db|stores\.json/.test(path.slice(examples.length))
    })
    const page = readFileSync(join(examples, "sync/README.md"), "utf8")
    const [sandbox = "", sync = ""] = Array.from(
      page.matchAll(/`pnpm connector ((?:sandbox|sync) [^`]+)`/g),
      ([, call]) => call!
    )
    let printed = ""
    yield* Effect.forkScoped(
      connector([...sandbox.split(" "), "--port", "0", "--json"], { cwd: folder, watch: (text) => (printed = text) })
    )
    yield* Effect.sync(() => printed.includes("listening")).pipe(
      Effect.delay("50 millis"),
      Effect.repeat({ until: (is) => is })
    )
    const [first] = lines(printed)
    const [gateway = "", erp = ""] = first!["addresses"] as ReadonlyArray<string>
    // the ports of the page may be in use
    const config = join(folder, "examples/sync/sandbox.json")
    const text = readFileSync(config, "utf8")
    writeFileSync(config, text.replace("http://127.0.0.1:4010", gateway).replace("http://127.0.0.1:4020", erp))
    const run = connector(sync.split(" "), { cwd: folder })
    const plan = yield* run
    assert.deepStrictEqual([plan.code, plan.err], [0, ""])
    assert.include(plan.out, "The first run is a plan; nothing was sent.")
    const sent = yield* run
    assert.strictEqual(sent.code, 0, sent.err)
    const [, shown = ""] = /```\n(erp: [^`]+)```/.exec(page) ?? []
    assert.include(sent.out, shown.trim())
  })
})
