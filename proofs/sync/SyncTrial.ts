/**
 * Runs `connector sync` several times on a system with active users: with faults of the source,
 * kills at a commit, lost tokens and two runs at once. After the faults end, every document must be
 * accounted for.
 */
import type { SourceFault } from "@fiscal-connector/sandbox/source/SourceWorld"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { crashing } from "../../packages/cli/test/InjectedCrash.ts"
import { lines } from "../../packages/cli/test/RunningConnector.ts"
import { syncing } from "../../packages/cli/test/SyncedSource.ts"
import * as Random from "../Random.ts"
import { type Clock, Users } from "./EditedSource.ts"
import * as SyncLaws from "./SyncLaws.ts"

/** Events of a trial, and the violations of laws. */
export interface Trial {
  readonly happened: ReadonlyArray<string>
  readonly broken: ReadonlyArray<string>
}

const goLive = "2026-01-01"

const kinds = ["html", "truncated", "cut", "empty", "status", "unordered", "limit-minute", "limit-concurrent"] as const

const faultOf = (random: Random.Random): SourceFault => ({
  kind: random.pick(kinds),
  after: random.between(0, 3),
  times: random.between(1, 2),
  status: 403,
  retryAfter: 0
})

/** Runs one trial. */
export const run = (seed: number) =>
  Effect.gen(function* () {
    const random = Random.make(seed)
    const clock: Clock = { now: Date.parse("2026-03-01T08:00:00Z") }
    const { folder, run, sandbox, sync, world, write } = yield* syncing({
      // users may work for 36 minutes while a request is on its way: a new token outlasts that
      source: { now: () => clock.now, perMinute: 10_000, perDay: 100_000, accessSeconds: 3600 },
      // The system has its own time here.
      settings: { goLive, late: "send-rest", pageSize: 100, clockSkew: "9000000 minutes" }
    })
    for (const list of ["Invoices", "CreditNotes"] as const) world.tenant().lists[list].clear()
    const users = new Users(world, random, clock)
    const happened: Array<string> = []
    const broken: Array<string> = []
    /** Tokens that this trial has lost: only then may the source refuse the login. */
    let lost = 0
    const work = () => {
      for (let n = random.between(0, 3); n > 0; n--) users.act()
    }
    const observed = Effect.gen(function* () {
      const stored = lines((yield* run("list", "--json")).out).map(
        (one) => [String(one["id"]), String(one["state"])] as const
      )
      return {
        world,
        goLive,
        stored: new Map(stored),
        receipts: SyncLaws.receiptsOf(yield* sandbox.control.accepted),
        totals: SyncLaws.totalsOf(yield* sandbox.control.receipts),
        known: SyncLaws.knownIn(folder)
      } satisfies SyncLaws.Observed
    })
    if (random.chance(0.7)) users.enterBills(random.between(85, 99))
    for (let n = 0; n < 8; n++) users.act()
    for (let turn = 0; turn < 6; turn++) {
      work()
      world.clearFaults()
      if (random.chance(0.5)) world.addFault({ kind: "before-answer", does: work, times: random.between(1, 4) })
      const fate = random.pick(["well", "well", "fault", "fault", "killed", "token", "two"] as const)
      const before = readFileSync(join(folder, "tokens.json"), "utf8")
      if (turn > 2 && random.chance(0.3)) SyncLaws.makeSweepDue(folder)
      if (fate === "fault") world.addFault(faultOf(random))
      if (fate === "token") world.endAccess()
      const crash = { commit: random.between(1, 14), when: random.pick(["before", "after"] as const), folder }
      const ended =
        fate === "killed"
          ? (yield* crashing(crash, sync)).value
          : fate === "two"
            ? (yield* Effect.all([sync, sync], { concurrency: 2 }))[0]
            : yield* sync
      const why = ended.code === 1 ? (/SOURCE_\w+/.exec(ended.err)?.[0] ?? "the store") : ""
      if (why === "SOURCE_LOGIN_ENDED" && lost === 0)
        broken.push(`turn ${turn}: the login ended, and no token was lost`)
      // killed between the answer of the token endpoint and the file
      if (fate === "token" && random.chance(0.5)) {
        write("tokens.json", before)
        lost++
      }
      broken.push(...SyncLaws.goneWereDeleted(SyncLaws.knownIn(folder), users, `turn ${turn}`))
      happened.push(`${fate}: exit ${ended.code} ${why}`)
    }
    world.clearFaults()
    // A lost token remains valid for another half hour; after that, the user logs in again.
    let ended = yield* sync
    if (/SOURCE_LOGIN_ENDED/.test(ended.err)) {
      if (lost === 0) broken.push("the login ended, and no token was lost")
      const fresh = world.exchange(world.agree("a challenge"), "a challenge")
      write("tokens.json", JSON.stringify({ refreshToken: fresh?.refresh }))
      happened.push("logged in again")
      ended = yield* sync
    }
    /** Deletions that the operator knows. */
    const told = new Set<string>()
    if (/SOURCE_OTHER_TENANT/.test(ended.err)) {
      const { stored } = yield* observed
      for (const id of stored.keys()) if (!world.tenant().lists.Invoices.has(id)) told.add(id)
      const { code, err } = yield* run("source", "forget", "books", "--because", "these documents were deleted")
      if (code !== 0) broken.push(`the source cannot be forgotten: ${err}`)
      happened.push("forgotten, because all known documents were deleted")
    }
    for (let n = 0; n < 3; n++) {
      const { code, err } = yield* sync
      if (code === 1) happened.push(`afterwards: ${/SOURCE_\w+/.exec(err)?.[0] ?? err}`)
    }
    const before = yield* observed
    broken.push(
      ...SyncLaws.accounted(before, "before the comparison"),
      ...SyncLaws.voidsNoticed(before, "before the comparison"),
      ...SyncLaws.editsNoticed(before, "before the comparison")
    )
    SyncLaws.makeSweepDue(folder)
    const swept = yield* sync
    if (swept.code === 1) broken.push(`the last run: ${swept.err}`)
    const after = yield* observed
    broken.push(
      ...SyncLaws.accounted(after, "after the comparison"),
      ...SyncLaws.voidsNoticed(after, "after the comparison"),
      ...SyncLaws.editsNoticed(after, "after the comparison"),
      ...SyncLaws.deletionsNoticed(after, told),
      ...SyncLaws.sentOnce(after)
    )
    const receipts = [...after.receipts.values()].reduce((sum, n) => sum + n, 0)
    return { happened: [...happened, `receipts: ${receipts}`], broken } satisfies Trial
  }).pipe(Effect.scoped)
