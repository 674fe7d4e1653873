/**
 * Submission store on SQL: SQLite and PostgreSQL with one schema. The database coordinates all
 * processes.
 */
import { DateTime, Duration, Effect, Layer, Option, PubSub, type Scope, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as AcceptedUnknowns from "./queries/AcceptedUnknowns.ts"
import * as AlertTurn from "./queries/AlertTurn.ts"
import { claimable, pollable } from "./lanes/Claimable.ts"
import { contended } from "./database/Contention.ts"
import { confirm } from "./evidence/Confirmation.ts"
import * as Decisions from "./evidence/Decisions.ts"
import { durability } from "./database/DurabilityQuery.ts"
import * as Evidence from "./evidence/Evidence.ts"
import * as Failures from "./evidence/Failures.ts"
import * as Finish from "./evidence/Finish.ts"
import { gatewaySeen } from "./queries/SeenQuery.ts"
import * as FactsQuery from "./queries/FactsQuery.ts"
import { health } from "./queries/HealthQuery.ts"
import * as Identity from "./database/Identity.ts"
import * as KnownAttempts from "./lanes/KnownAttempts.ts"
import * as Lanes from "./lanes/Lanes.ts"
import * as Originals from "./lanes/Originals.ts"
import * as ImportQueries from "./queries/ImportQueries.ts"
import * as KeepImport from "./planning/KeepImport.ts"
import * as LaneStep from "./LaneStep.ts"
import * as LedgerQuery from "./planning/LedgerQuery.ts"
import { type BeforeUpgrade, migrate } from "./database/Migrations.ts"
import * as Notices from "./queries/Notices.ts"
import * as Older from "./lanes/Older.ts"
import * as StopOlder from "./lanes/StopOlder.ts"
import * as OperatorRecords from "./evidence/OperatorRecords.ts"
import * as Place from "./database/Place.ts"
import { plan } from "./planning/Plan.ts"
import * as PulledRuns from "./planning/PulledRuns.ts"
import { type Elsewhere, planned } from "./database/Planned.ts"
import { changed } from "./queries/Changed.ts"
import * as LiveSourceQueries from "./queries/LiveSourceQueries.ts"
import * as Queries from "./queries/Queries.ts"
import * as Registering from "./planning/Registering.ts"
import { repin } from "./planning/Repin.ts"
import { type Integer, number, type SubmissionRow } from "./rows/Rows.ts"
import * as Transaction from "./database/Transaction.ts"
import * as SourceNotices from "./planning/SourceNotices.ts"
import { amend, holdBack, note } from "./lanes/Transition.ts"
import * as Unknowns from "./evidence/Unknowns.ts"
import { formatOverride } from "../submission/Revisit.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import { StoreError, storeError } from "../submission/ledger/StoreError.ts"
import { sentence } from "../submission/ledger/StoreStop.ts"
import type { LaneLease } from "../submission/Lane.ts"
import type { SubmissionKey } from "../submission/PlannedDocument.ts"
import type { Change, Hold, SourceChange } from "../submission/Submission.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

/** Exports for the engines in core/node, which check the database before opening. */
export { latest, newer, schemaOf } from "./database/Migrations.ts"
export { channel } from "./database/Planned.ts"
export type { AheadConnection } from "./database/Statements.ts"

const hold = (transaction: Transaction.Transaction, keys: ReadonlyArray<SubmissionKey>, { because, cause }: Hold) =>
  Effect.forEach(
    keys,
    ({ account, id, kind }) =>
      Effect.gen(function* () {
        const { dialect, sql } = transaction
        const [row] = yield* sql<SubmissionRow>`select * from fiscal_submission
          where account = ${account} and kind = ${kind} and id = ${id} ${dialect.forUpdate}`
        // an earlier revision was fiscalised: this reason takes precedence over any other
        if (row === undefined || row.hold_cause === "contradicted") return
        if (row.state !== "Planned" && row.state !== "Held") return
        if (row.state === "Planned") yield* holdBack(transaction, row, cause, because)
        else {
          yield* amend(transaction, row, { hold_cause: cause, hold_because: because })
          note(transaction, row, "noted", because)
        }
        if (cause === "operator" || cause === "older-copy")
          yield* amend(transaction, row, { word: formatOverride({ _tag: "Hold" }) })
      }),
    { discard: true }
  )

const tokenOf = ({ fence, lane }: LaneLease) => `${fence} ${lane}`

/** Fails if another run of the source was accepted first, with newer documents. */
const unlessOvertaken = (run: Effect.Effect<"written" | "overtaken", StoreError>): Effect.Effect<void, StoreError> =>
  Effect.flatMap(run, (outcome) =>
    outcome === "written"
      ? Effect.void
      : Effect.fail(
          new StoreError({
            operation: "accept what was read",
            reason: "conflict",
            problem: "another run of the source has accepted newer documents; try again"
          })
        )
  )

const operations = (
  database: Transaction.Database,
  hubs: Transaction.Hubs,
  leases: Set<string>,
  elsewhere: Elsewhere
): SubmissionStoreOperations => {
  const { read, record, sql, write, writeReading } = database
  const known = KnownAttempts.make()
  const list: SubmissionStoreOperations["list"] = (query) => read("list", Queries.list(sql, query))
  /** As `write`, for what plans documents: fails in a stopped store. */
  const planning: Transaction.Database["write"] = (operation, work) =>
    write(operation, (transaction) =>
      transaction.stop === null
        ? work(transaction)
        : Effect.fail(new StoreError({ operation, reason: "stopped", problem: sentence(transaction.stop) }))
    )
  const beginAttempt: SubmissionStoreOperations["beginAttempt"] = Effect.fnUntraced(
    function* (lease, options, finished) {
      const touches = [lease.lane, ...options.accounts.map(({ account }) => account)]
      let first = finished
      while (true) {
        const answer = first
        const own = known.of(lease.lane)
        const step = yield* writeReading(
          "begin an attempt",
          touches,
          LaneStep.look(lease, answer),
          (transaction, look) => LaneStep.take(transaction, lease, options, answer, own, look)
        )
        if (step._tag === "Begun") known.begun(step.newest, step.accepted)
        if (step._tag !== "Next") return step
        first = undefined
      }
    }
  )
  const handOver: SubmissionStoreOperations["handOver"] = (accounts) =>
    // usually no document of an import waits, and a read does not block writers
    Effect.flatMap(read("look for open imports", KeepImport.waits(sql, accounts)), (waits) =>
      waits
        ? Effect.withSpan(
            planning("hand over", (transaction) => KeepImport.handOver(transaction, accounts)),
            "FiscalConnector.handOver",
            { captureStackTrace: false }
          )
        : Effect.succeedNone
    )
  return {
    identity: read("identity", Identity.read(sql)),
    compareMarks: (witnessed) =>
      read("hold the store against what is known of it", KnownAttempts.compareMarks(sql, known, witnessed)),
    stopOlder: (witnessed) =>
      write("stop an older copy", (transaction) => StopOlder.stopOlder(transaction, known, witnessed)),
    stopUnproven: (because, provenAs) =>
      write("stop an unproven store", (transaction) => Place.stopUnproven(transaction, because, provenAs)),
    proven: (place) => write("note its database", (transaction) => Place.proven(transaction, place)),
    interruptions: database.interruptions,
    compareClocks: (account, gateway) =>
      Effect.suspend(() => {
        if (gateway === null) database.heard.delete(account)
        else database.heard.set(account, gateway)
        return read(
          "compare clocks",
          Effect.map(database.hostAhead, (ahead) => (database.time === "host" ? null : -ahead))
        )
      }),
    pinOf: (account) => read("read a pin", Lanes.pinOf(sql, account)),
    know: (lane) => write("know a device", (transaction) => Lanes.know(transaction, lane)),
    pin: (pin) => write("pin an account", (transaction) => Lanes.pin(transaction, pin)),
    trustOrigin: (account, origin, because) =>
      write("trust an origin", (transaction) =>
        Effect.andThen(
          Lanes.trustOrigin(transaction, account, origin),
          OperatorRecords.add(transaction, {
            act: "trust-origin",
            account,
            subject: origin,
            what: "the key of the account may be sent there",
            because
          })
        )
      ),
    acceptUnknown: (account, fact, because) =>
      write("accept a fact as unknown", (transaction) =>
        Effect.andThen(
          AcceptedUnknowns.accept(transaction, account, fact, because),
          OperatorRecords.add(transaction, {
            act: "accept-unknown",
            account,
            subject: fact,
            what: "documents are sent without the check that needs it",
            because
          })
        )
      ),
    acceptedUnknowns: (account) => read("list accepted unknowns", AcceptedUnknowns.open(sql, account)),
    factsBack: (account, facts) =>
      // usually nothing was accepted, and a read does not block writers
      Effect.flatMap(read("list accepted unknowns", AcceptedUnknowns.open(sql, account)), (open) =>
        open.some(({ fact }) => facts.includes(fact))
          ? write("end accepted unknowns", (transaction) => AcceptedUnknowns.end(transaction, account, facts))
          : Effect.void
      ),
    repin: (pin, because) =>
      // waiting documents were made for the old device, and move with the planned documents
      Effect.andThen(
        Effect.repeat(handOver([pin.account]), { until: Option.isNone }),
        write("move an account", (transaction) =>
          Effect.tap(repin(transaction, pin, because), (answer) =>
            answer._tag === "Refused"
              ? Effect.void
              : OperatorRecords.add(transaction, {
                  act: "repin",
                  account: pin.account,
                  subject: pin.lane,
                  what: `${answer.moved} documents move to the device`,
                  because
                })
          )
        )
      ),
    plan: (documents) =>
      Effect.withSpan(
        planning("plan", (transaction) => plan(transaction, documents)),
        "FiscalConnector.plan",
        { attributes: { documents: documents.length }, captureStackTrace: false }
      ),
    beginImport: (made, memory) =>
      write("begin an import", (transaction) => KeepImport.begin(transaction, made, memory)),
    keepPage: (page) => write("remember an import", (transaction) => KeepImport.add(transaction, page)),
    keepRest: (id, documents) =>
      write("keep an import", (transaction) => KeepImport.addRest(transaction, id, documents)),
    acceptImport: (id, counts, pulled) =>
      unlessOvertaken(
        planning("accept an import", (transaction) =>
          Effect.gen(function* () {
            const run = pulled === undefined ? "written" : yield* PulledRuns.record(transaction, pulled)
            yield* run === "overtaken" ? KeepImport.drop(transaction, id) : KeepImport.accept(transaction, id, counts)
            return run
          })
        )
      ),
    liveSources: {
      state: (key) => read("read a source", LiveSourceQueries.state(sql, key)),
      documents: (key, endpoint, ids) => read("read a source", LiveSourceQueries.documents(sql, key, endpoint, ids)),
      modified: (key, endpoint, within) =>
        read("read a source", LiveSourceQueries.modified(sql, key, endpoint, within)),
      refused: (key) => read("read a source", LiveSourceQueries.refused(sql, key)),
      record: (run) =>
        unlessOvertaken(write("note a run of a source", (transaction) => PulledRuns.record(transaction, run))),
      stop: (settings, stop) =>
        write("note a run of a source", (transaction) => PulledRuns.stop(transaction, settings, stop)),
      forget: (source, because) =>
        write("forget a source", (transaction) =>
          Effect.tap(PulledRuns.forget(transaction, source), (documents) =>
            documents === undefined
              ? Effect.void
              : OperatorRecords.add(transaction, {
                  act: "forget-source",
                  account: null,
                  subject: `source ${source}`,
                  what: `what was read of it is forgotten (${documents} documents); its next run is a plan`,
                  because
                })
          )
        )
    },
    handOver,
    noteSource: (notices) =>
      notices.length === 0
        ? Effect.void
        : write("note what the source states", (transaction) => SourceNotices.noteAll(transaction, notices)),
    cancelImport: (id, because) =>
      write("cancel an import", (transaction) =>
        Effect.tap(KeepImport.cancel(transaction, id), (answer) =>
          answer._tag === "Refused"
            ? Effect.void
            : OperatorRecords.add(transaction, {
                act: "cancel-import",
                account: null,
                subject: `import ${id}`,
                what: `${answer.dropped} documents are never handed over`,
                because: because ?? null
              })
        )
      ),
    imports: (query) => read("list imports", ImportQueries.imports(sql, query)),
    importOf: (id) => read("read an import", ImportQueries.one(sql, id)),
    importDocuments: (id) =>
      Stream.paginate(0, (place) =>
        Effect.map(
          read("read an import", ImportQueries.page(sql, id, place)),
          (documents) =>
            [
              documents === undefined ? [] : [documents],
              documents === undefined ? Option.none<number>() : Option.some(place + 1)
            ] as const
        )
      ),
    acceptOlder: (until, witnessed) =>
      write("accept an older copy", (transaction) => Older.accept(transaction, until, [known.all(), witnessed])),
    hold: (keys, because) => write("hold", (transaction) => hold(transaction, keys, because)),
    claim: (lane, holder, lease, presumedDead) =>
      Effect.tap(
        write("claim a lane", (transaction) =>
          Lanes.claim(transaction, lane, holder, Duration.toMillis(lease), presumedDead)
        ),
        (claim) => Effect.sync(() => (claim._tag === "Claimed" ? leases.add(tokenOf(claim.lease)) : undefined))
      ),
    release: (lease) =>
      Effect.asVoid(
        Effect.ensuring(
          record("release a lane", (transaction) => Lanes.release(transaction, lease)),
          Effect.sync(() => leases.delete(tokenOf(lease)))
        )
      ),
    beginAttempt,
    finishAttempt: (finished) =>
      record("finish an attempt", (transaction) => Finish.finishAlone(transaction, finished)),
    stop: (lane, stop) => write("stop a lane", (transaction) => Lanes.stop(transaction, lane, stop)),
    restart: (lane) => Effect.asVoid(write("restart a lane", (transaction) => Lanes.restart(transaction, lane))),
    lanes: (accounts) => read("list lanes", Lanes.views(sql, accounts)),
    claimable: (accounts) =>
      read(
        "look for lanes to work",
        Effect.flatMap(database.now, (now) => claimable(sql, now, accounts, known))
      ),
    pollable: (accounts) =>
      read(
        "look for due polls",
        Effect.flatMap(database.now, (now) => pollable(sql, now, accounts))
      ),
    closeDay: (lane, closedAt) => write("close a day", (transaction) => Lanes.closeDay(transaction, lane, closedAt)),
    recordOutcomes: (account, items, source, after = Patience.unproven.is) =>
      record("record outcomes", (transaction) =>
        Effect.map(Evidence.recordDelivered(transaction, account, items, source, after), () => [...transaction.changes])
      ),
    recordAbility: (account, ability) =>
      // usually nothing has changed, and a read does not block writers
      Effect.flatMap(read("read if an account can send", Failures.isAbility(sql, account, ability)), (isKnown) =>
        isKnown
          ? Effect.void
          : write("record if an account can send", (transaction) => Failures.ability(transaction, account, ability))
      ),
    duePolls: (account, limit, lease) =>
      // usually nothing is due, and a read does not block writers
      Effect.flatMap(
        read("look for due polls", Effect.flatMap(database.now, Evidence.isAnyDue(sql, account))),
        (isAny) =>
          isAny
            ? write("look for due polls", (transaction) => Evidence.due(transaction, account, limit, lease))
            : Effect.succeed([])
      ),
    hastenPolls: (account, requestIds) =>
      requestIds.length === 0
        ? Effect.void
        : write("hasten polls", (transaction) => Evidence.hasten(transaction, account, requestIds)),
    nextPoll: (account) =>
      read(
        "look for the next poll",
        Effect.map(
          Effect.zip(
            sql<{ readonly at: Integer | null }>`select min(a.poll_at) as at
              from fiscal_attempt a join fiscal_submission s on s.seq = a.submission
              where a.account = ${account} and a.poll_at is not null and s.state in ('Planned', 'Sending', 'Accepted', 'Unknown')
              and not exists (select 1 from fiscal_outcome o where o.attempt = a.id and o.outcome = 'Rejected')`,
            database.hostAhead
          ),
          ([[row], ahead]) => Option.map(Option.fromNullishOr(row?.at), (at) => DateTime.makeUnsafe(number(at) + ahead))
        )
      ),
    recordPoll: (account, asked, items, policy, facts) =>
      record("record a poll", (transaction) => Evidence.recordPoll(transaction, account, asked, items, policy, facts)),
    confirmRejections: (key, asked, items, control) =>
      record("confirm rejections", (transaction) => confirm(transaction, key, asked, items, control)),
    resendUnknown: (account) => write("resend", (transaction) => Unknowns.resend(transaction, account)),
    joinByElimination: (account) =>
      write("join outcomes", (transaction) => Unknowns.joinByElimination(transaction, known, account)),
    decide: (key, decision, because, although, shown) =>
      write("decide", (transaction) => Decisions.decide(transaction, key, decision, because, although, shown)),
    recordDecision: (decision, how) =>
      write("record a decision", (transaction) =>
        how === "once" ? OperatorRecords.addOnce(transaction, decision) : OperatorRecords.add(transaction, decision)
      ),
    decisions: (after, limit) => read("list decisions", OperatorRecords.list(sql, after, limit)),
    get: (key) =>
      read(
        "get",
        Effect.map(Queries.getMany(sql, [key]), ([found]) => Option.fromNullishOr(found))
      ),
    find: (idOrNumber) => read("find", Queries.find(sql, idOrNumber)),
    getMany: (keys) => read("get", Queries.getMany(sql, keys)),
    sent: (keys) => read("read what was sent", Queries.sent(sql, keys)),
    known: (keys) => read("compare", Queries.known(sql, keys)),
    list,
    stream: (query) => Queries.stream(list, query),
    activity: (since, stretch) => read("count activity", Queries.activity(sql, since, stretch)),
    changed: (query) =>
      read(
        "list changes",
        Effect.flatMap(database.now, (now) => changed(sql, query, now))
      ),
    explain: (key) =>
      read(
        "explain",
        Effect.flatMap(database.clocks, (clocks) => Queries.explain(sql, key, clocks))
      ),
    inbox: (account) => read("read the inbox", Unknowns.inbox(sql, account, 0)),
    gatewaySeen: (account) => read("read what was seen of the gateway", gatewaySeen(sql, account)),
    lastAttempts: (limit) => read("list attempts", FactsQuery.lastAttempts(sql, limit)),
    holdCauses: read("count what is held", FactsQuery.holdCauses(sql)),
    acknowledgeDay: (lane, day, because) =>
      write("acknowledge a day", (transaction) => Notices.acknowledgeDay(transaction, lane, day, because)),
    notice: (source, subject, notices) =>
      Effect.flatMap(
        read(
          "compare what was seen",
          Effect.flatMap(database.now, (now) => Notices.differs(sql, now, source, subject, notices))
        ),
        (differs) =>
          differs
            ? write("note what was seen", (transaction) => Notices.replace(transaction, source, subject, notices))
            : Effect.void
      ),
    unproven: (accounts) =>
      read(
        "list failures that prove nothing",
        Effect.flatMap(database.now, (now) => Failures.unproven(sql, now, accounts))
      ),
    health: (retention) =>
      read(
        "health",
        Effect.flatMap(database.now, (now) => health(sql, now, retention))
      ),
    takeAlert: (names, lease) =>
      write("look whether to tell of health", (transaction) => AlertTurn.take(transaction, names, lease)),
    endAlert: (names, how) => write("tell of health", (transaction) => AlertTurn.end(transaction, names, how)),
    registerOriginals: (originals) =>
      planning("register originals", (transaction) => Registering.register(transaction, originals)),
    registeredOriginals: read("list registered originals", Originals.registered(sql)),
    ledger: LedgerQuery.make(database),
    durability: read("look at its settings", durability(sql)),
    planned: planned(hubs.changes, elsewhere),
    changes: Stream.fromPubSub(hubs.changes),
    sourceChanges: Stream.fromPubSub(hubs.sourceChanges)
  }
}

export interface OpenOptions {
  /** Called before an upgrade, in its transaction, with the current and the new schema. */
  readonly beforeUpgrade?: BeforeUpgrade
  /** `as-it-is`: the database is neither created nor upgraded. Default `up-to-date`. */
  readonly schema?: "up-to-date" | "as-it-is"
  /**
   * Clock for leases, quiet periods and polls. `database`: PostgreSQL's clock, for several
   * machines. Default `host`: the Clock.
   */
  readonly time?: Transaction.Time
  /** Source of notifications about plans of other processes. Default none. */
  readonly elsewhere?: Elsewhere
  /** Detects that another database replaced the open one. Default: no detection. */
  readonly replaced?: Transaction.Replaced
}

/**
 * Upgrades the database and opens the store. Fails with `newer-version` if a newer version of this
 * library wrote the database.
 */
export const open = ({
  beforeUpgrade = () => Effect.void,
  elsewhere = () => Effect.never,
  replaced = () => null,
  schema = "up-to-date",
  time = "host"
}: OpenOptions = {}): Effect.Effect<SubmissionStoreOperations, StoreError, SqlClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    if (schema === "up-to-date") {
      yield* contended(
        Effect.catchTag(migrate(beforeUpgrade), "MigrationError", ({ cause, message }) =>
          Effect.fail(
            new StoreError({
              operation: "open",
              reason: "unavailable",
              problem: cause instanceof Error ? `${message}: ${cause.message}` : message
            })
          )
        )
      )
    }
    const hubs = { changes: yield* PubSub.unbounded<Change>(), sourceChanges: yield* PubSub.unbounded<SourceChange>() }
    const leases = new Set<string>()
    const database = yield* Transaction.make(sql, hubs, () => leases.size, time, replaced)
    if (schema === "up-to-date") yield* database.write("open", Identity.ensure)
    return operations(database, hubs, leases, elsewhere)
  }).pipe(Effect.mapError(storeError("open")))

/** Opens the store with default options. */
export const make: Effect.Effect<SubmissionStoreOperations, StoreError, SqlClient | Scope.Scope> = open()

export const layer: Layer.Layer<SubmissionStore, StoreError, SqlClient> = Layer.effect(SubmissionStore, make)
