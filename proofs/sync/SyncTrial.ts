/**
 * Runs `connector sync` several times on a system with active users: with faults of the source,
 * kills at a commit, lost tokens and two runs at once. After the faults end, every document must be
 * accounted for.
 */
import type { SourceFault } from "@fiscal-connector/sandbox/source/SourceWorld"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { crashing } from "../../packages/cli/test/InjectedCrash.ts"
import { lines } from "../../packages/cli/test/RunningConnector.ts"
import { syncing } from "../../packages/cli/test/SyncedSource.ts"
import * as Random from "../Random.ts"
import { type Clock, People } from "./LivingSource.ts"

/** Events of a trial, and the violations of laws. */
export interface Trial {
  readonly happened: ReadonlyArray<string>
  readonly broken: ReadonlyArray<string>
}

const goLive = "2026-01-01"

const kinds = ["html", "truncated", "cut", "empty", "status", "unordered", "limit-minute"] as const

const faultOf = (random: Random.Random): SourceFault => ({
  kind: random.pick(kinds),
  after: random.between(0, 2),
  times: 1,
  status: 403,
  retryAfter: 0
})

/** Runs one trial. */
export const run = (seed: number) =>
  Effect.gen(function* () {
    const random = Random.make(seed)
    const clock: Clock = { now: Date.parse("2026-03-01T08:00:00Z") }
    const { folder, receipts, run, sandbox, sync, world, write } = yield* syncing({
      source: { now: () => clock.now, perMinute: 10_000, perDay: 100_000 },
      // The system has its own time here.
      settings: { goLive, late: "send-rest", pageSize: 100, clockSkew: "9000000 minutes" }
    })
    for (const list of ["Invoices", "CreditNotes"] as const) world.tenant().lists[list].clear()
    const people = new People(world, random, clock)
    const happened: Array<string> = []
    const broken: Array<string> = []
    const work = () => {
      for (let n = random.between(0, 3); n > 0; n--) people.act()
    }
    for (let n = 0; n < 8; n++) people.act()
    for (let turn = 0; turn < 6; turn++) {
      work()
      world.clearFaults()
      if (random.chance(0.5)) world.addFault({ kind: "before-answer", does: work, times: random.between(1, 4) })
      const fate = random.pick(["well", "well", "fault", "killed", "token", "two"] as const)
      const before = readFileSync(join(folder, "tokens.json"), "utf8")
      if (fate === "fault") world.addFault(faultOf(random))
      if (fate === "token") world.endAccess()
      const crash = { commit: random.between(1, 14), when: random.pick(["before", "after"] as const), folder }
      const ended =
        fate === "killed"
          ? (yield* crashing(crash, sync)).value
          : fate === "two"
            ? (yield* Effect.all([sync, sync], { concurrency: 2 }))[0]
            : yield* sync
      // Killed between the answer of the token endpoint and the file.
      if (fate === "token" && random.chance(0.5)) write("tokens.json", before)
      const why = ended.code === 1 ? (/SOURCE_\w+/.exec(ended.err)?.[0] ?? "the store") : ""
      happened.push(`${fate}: exit ${ended.code} ${why}`)
    }
    world.clearFaults()
    // A lost token remains valid for another half hour; after that, the user logs in again.
    if (/SOURCE_LOGIN_ENDED/.test((yield* sync).err)) {
      const fresh = world.exchange(world.agree("a challenge"), "a challenge")
      write("tokens.json", JSON.stringify({ refreshToken: fresh?.refresh }))
      happened.push("logged in again")
    }
    for (let n = 0; n < 3; n++) {
      const { code, err } = yield* sync
      if (code === 1) happened.push(`afterwards: ${/SOURCE_\w+/.exec(err)?.[0] ?? err}`)
    }
    const database = new DatabaseSync(join(folder, "fiscal-connector.db"))
    database.exec("update fiscal_source set planned_at = planned_at - 90000000, swept_at = swept_at - 90000000")
    database.close()
    const swept = yield* sync
    if (swept.code === 1) broken.push(`the last run: ${swept.err}`)
    const stored = new Map(
      lines((yield* run("list", "--json")).out).map((one) => [String(one["id"]), String(one["state"])])
    )
    const source = new DatabaseSync(join(folder, "fiscal-connector.db"), { readOnly: true })
    const refused = new Set(
      source
        .prepare("select id from fiscal_source_document where standing = 'refused'")
        .all()
        .map(({ id }) => String(id))
    )
    const noticed = new Set(
      source
        .prepare(
          "select s.id from fiscal_conflict c join fiscal_submission s on s.seq = c.submission where c.settled_at is null and c.code like 'SOURCE%'"
        )
        .all()
        .map(({ id }) => String(id))
    )
    source.close()
    const now = new Map(
      [...world.tenant().lists.Invoices.values()].map(({ fields }) => [String(fields["InvoiceID"]), fields])
    )
    for (const [id, fields] of now) {
      const isIssued = fields["Type"] === "ACCREC" && (fields["Status"] === "AUTHORISED" || fields["Status"] === "PAID")
      if (isIssued && String(fields["DateString"]) >= goLive && !stored.has(id) && !refused.has(id))
        broken.push(`${id} is nowhere`)
    }
    const accepted = yield* sandbox.control.accepted
    for (const { id, receipts } of accepted) if (receipts > 1) broken.push(`${id} has ${receipts} receipts`)
    for (const [id, state] of stored) {
      const fields = now.get(id)
      const isOver = fields === undefined || fields["Status"] === "VOIDED"
      if (state === "Fiscalised" && isOver && !noticed.has(id)) broken.push(`${id} is no more, and nobody is told`)
      const sent = accepted.find((one) => one.id === id)
      if (state === "Fiscalised" && sent === undefined) broken.push(`${id} was never sent`)
    }
    return { happened: [...happened, `receipts: ${(yield* receipts).length}`], broken } satisfies Trial
  }).pipe(Effect.scoped)
