/** Proves that the first screen shows live sources: last and next run, results, and stops. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { syncing } from "../../cli/test/SyncedSource.ts"
import { start, Visitor } from "./PageProcess.ts"

// slow: a page, and four runs of the command

const textOf = (body: string) =>
  (/<h2>Accounting systems<\/h2>([^]*?)<\/section>/.exec(body)?.[1] ?? "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")

describe("the first screen", () => {
  it.live("shows each source with its runs, and a stop with the link to its action", function* () {
    const { folder, sync, world } = yield* syncing({ settings: { every: "5 minutes" } })
    const visitor = yield* Effect.flatMap(start(["--config", "account.json"], {}, folder), (page) =>
      Effect.promise(() => Visitor.open(page))
    )
    const shown = Effect.promise(async () => (await visitor.get("/")).body)
    const before = textOf(yield* shown)
    assert.match(before, /books not read yet nothing known yet as soon as a worker runs/)
    yield* sync
    const planned = textOf(yield* shown)
    assert.match(planned, /20 documents read: 16 new, 4 skipped/)
    assert.include(planned, "The first read is a plan: nothing was sent. The next read sends.")
    assert.notInclude(planned, "connector work", "the next read has a time while a worker may be running")
    yield* sync
    assert.notInclude(textOf(yield* shown), "is a plan")
    world.addFault({ kind: "limit-day", retryAfter: 7200, times: 1 })
    yield* sync
    const stopped = yield* shown
    assert.match(textOf(stopped), /Nothing is read at the moment: .*wants fewer requests/)
    assert.match(textOf(stopped), /not before .*: the system asked to wait/)
    assert.match(stopped, /<a href="[^"]+\/health">Show what to do<\/a>/)
  })

  it.live("has no block of sources if the configuration has none", function* () {
    const visitor = yield* Effect.flatMap(start(), (page) => Effect.promise(() => Visitor.open(page)))
    assert.notInclude((yield* Effect.promise(() => visitor.get("/"))).body, "<h2>Accounting systems")
  })
})
