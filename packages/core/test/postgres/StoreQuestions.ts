/** Every question of a host to the store, and the steps of a document, in a GrownStore. */
import { DateTime, Duration, Effect, Option, Stream } from "effect"
import { CivilDate } from "../../src/document/CivilDate.ts"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import type { HealthOperations } from "../../src/submission/Health.ts"
import type { ImportOperations } from "../../src/submission/KeptImport.ts"
import type { LaneLease } from "../../src/submission/Lane.ts"
import type { Ledger } from "../../src/submission/ledger/Ledger.ts"
import { unmarked } from "../../src/submission/ledger/NewestAttempt.ts"
import type { LiveSourceOperations } from "../../src/submission/LiveSourceState.ts"
import type { SubmissionQueries } from "../../src/submission/SubmissionQuery.ts"
import type { SubmissionStoreOperations } from "../../src/submission/SubmissionStore.ts"
import { fiscalised } from "../sending/ScriptedGateway.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import * as GrownStore from "./GrownStore.ts"

const days = Duration.days(7)
const { lane, source } = GrownStore
const key = { account: "shop", kind: "invoice", id: "i1-77" } as const
const day = CivilDate.make("2026-01-10")
const instant = (text: string) => Option.getOrThrow(Instant.parse(text))
const anHourAgo = () => DateTime.makeUnsafe(Date.now() - 3_600_000)
const newest = { order: "newest-first", limit: 50 } as const
const all = (stream: Stream.Stream<unknown, unknown>) => Stream.runDrain(stream)

export type Asked = (store: SubmissionStoreOperations, lease: LaneLease) => Effect.Effect<unknown, unknown>
type Named<Names extends PropertyKey> = Readonly<Record<Names, Readonly<Record<string, Asked>>>>

const usual = (asked: Asked) => ({ "as the hosts ask": asked })

const submissions: Named<keyof SubmissionQueries> = {
  get: usual((store) => store.get(key)),
  find: { "of an id": (store) => store.find("i1-77"), "of a number": (store) => store.find("N-i1-77") },
  getMany: usual((store) => store.getMany([key, { ...key, id: "i1-78" }])),
  sent: usual((store) => store.sent([key])),
  known: usual((store) => store.known([key])),
  list: {
    "of open states": (store) => store.list({ states: ["Planned", "Unknown"], limit: 50 }),
    "of all states": (store) => store.list({ ...newest }),
    "of finished documents": (store) => store.list({ ...newest, states: ["Fiscalised"] }),
    "of the next page": (store) => store.list({ ...newest, states: ["Fiscalised"], before: 1_002_000 }),
    "of an account and a lane": (store) => store.list({ ...newest, accounts: ["shop"], lane }),
    "of a buyer": (store) => store.list({ ...newest, limit: 5, matching: "ada" }),
    "since an hour ago": (store) => store.list({ ...newest, changedFrom: anHourAgo() })
  },
  stream: usual((store) => all(store.stream({ states: ["Fiscalised"], limit: 200 }))),
  changed: {
    "from the start": (store) => store.changed({ limit: 50 }),
    "after a position": (store) => store.changed({ after: 1_200_000, limit: 50 }),
    "since an hour ago": (store) => store.changed({ since: anHourAgo(), limit: 50 }),
    "the newest": (store) => store.changed({ order: "newest-first", limit: 1 })
  },
  changedAt: usual((store) => store.changedAt(1_200_000)),
  family: usual((store) => store.family(key)),
  noticed: usual((store) => store.noticed(["shop"])),
  ruled: usual((store) => store.ruled("shop", "{number}-CN")),
  explain: usual((store) => store.explain(key)),
  inbox: usual((store) => store.inbox("shop")),
  holdCauses: usual((store) => store.holdCauses),
  activity: usual((store) => store.activity(anHourAgo(), Duration.minutes(10))),
  gatewaySeen: usual((store) => store.gatewaySeen("shop")),
  documentsOf: {
    "of the last hour": (store) => all(store.documentsOf(lane, "sent", anHourAgo())),
    "of the whole device, page by page": (store) => all(store.documentsOf(lane, "all", null))
  },
  repeatedCodes: usual((store) => store.repeatedCodes(lane)),
  otherPrograms: usual((store) => store.otherPrograms(lane)),
  changedAfter: usual((store) => store.changedAfter(lane, day, 9_000_000)),
  revisions: usual((store) => store.revisions([[1_000_077, 1]]))
}

type HealthWrites = "notice" | "acknowledgeDay" | "stateOtherPrograms" | "takeAlert" | "endAlert"
const health: Named<Exclude<keyof HealthOperations, HealthWrites>> = {
  health: usual((store) => store.health(days)),
  unproven: usual((store) => store.unproven(["shop"])),
  decisionFacts: usual((store) => store.decisionFacts([{ seq: 1_000_077 }]))
}

type ImportWrites = "beginImport" | "keepPage" | "keepRest" | "acceptImport" | "handOver" | "cancelImport"
const imports: Named<Exclude<keyof ImportOperations, ImportWrites>> = {
  imports: {
    "the newest": (store) => store.imports({ limit: 50 }),
    "of an account": (store) => store.imports({ accounts: ["shop"], limit: 50 }),
    "that are open": (store) => store.imports({ standings: ["begun", "accepted", "incomplete"], limit: 50 })
  },
  importOf: usual((store) => store.importOf(1_000_077)),
  importDocuments: usual((store) => all(store.importDocuments(1_000_077)))
}

const sale = { account: "shop", kind: "invoice", taxpayer: "2000000001" } as const
const ledger: Named<keyof Ledger> = {
  holders: usual((store) => store.ledger.holders(sale.taxpayer, ["N-i1-77"])),
  registered: usual((store) => store.ledger.registered("shop", ["o1-77"])),
  besidePrepared: usual((store) => store.ledger.besidePrepared("shop", ["N-i1-77"])),
  alike: usual((store) => store.ledger.alike(sale.taxpayer, ["ni177"])),
  settledPairs: usual((store) => store.ledger.settledPairs([key])),
  alikeInAll: usual((store) => store.ledger.alikeInAll([key])),
  replacement: usual((store) => store.ledger.replacement(sale, { by: "number", value: "N-i1-77" })),
  spellings: usual((store) => store.ledger.spellings("shop")),
  original: {
    "by its id": (store) => store.ledger.original("shop", { by: "id", value: "i1-77" }),
    "by its number": (store) => store.ledger.original("shop", { by: "number", value: "N-i1-77" }),
    "by the fold of its number": (store) => store.ledger.original("shop", { by: "fold", value: "ni177" })
  },
  mark: usual((store) => store.ledger.mark(lane)),
  latestReceiptDate: usual((store) =>
    store.ledger.latestReceiptDate(lane, instant("2026-01-10T00:00:00+02:00"), instant("2026-01-10T23:00:00+02:00"))
  )
}

const endpoint = "Invoices"
const liveSources: Named<Exclude<keyof LiveSourceOperations, "record" | "stop" | "forget">> = {
  state: usual((store) => store.liveSources.state(source)),
  documents: usual((store) => store.liveSources.documents(source, endpoint, ["i1-77"])),
  foreign: usual((store) =>
    store.liveSources.foreign({ ...source, tenant: "other" }, endpoint, [
      { id: "i1-77", number: "N-i1-77", modified: 1 }
    ])
  ),
  modified: usual((store) => store.liveSources.modified(source, endpoint, { from: 0, limit: 50 })),
  again: usual((store) => store.liveSources.again(source)),
  left: usual((store) => store.liveSources.left(source, [endpoint], "shop"))
}

const feeder = { account: "shop", continueAfter: "accepted", unknown: "explained" } as const
const whole: Readonly<Record<string, Readonly<Record<string, Asked>>>> = {
  identity: usual((store) => store.identity),
  compareMarks: usual((store) => store.compareMarks(unmarked)),
  lanes: usual((store) => store.lanes()),
  claimable: usual((store) => store.claimable([feeder])),
  pinOf: usual((store) => store.pinOf("shop")),
  lastAttempts: usual((store) => store.lastAttempts(20)),
  decisions: usual((store) => store.decisions(1_200_000, 50)),
  reports: usual((store) => store.reports),
  pollable: usual((store) => store.pollable(["shop"])),
  nextPoll: usual((store) => store.nextPoll("shop")),
  acceptedUnknowns: usual((store) => store.acceptedUnknowns()),
  refused: usual((store) => store.refused.of("shop"))
}

const policy = { firstLook: Duration.zero, longestPause: Duration.hours(1), retention: days }
let planned = 0
/** The way of a document; each is done again with another document. */
const steps: Readonly<Record<string, Asked>> = {
  "a plan": (store) =>
    store.plan([invoice(`new${++planned}`, { receiptDate: `2026-01-12T12:00:${10 + planned}+02:00` })]),
  "an attempt and its answer": (store, lease) => GrownStore.sent(store, lease, [GrownStore.accepted(`b${planned++}`)]),
  "an outcome": (store) => store.recordOutcomes("shop", [fiscalised(`b${--planned}`)], "webhook"),
  "a poll": (store) =>
    Effect.andThen(
      store.duePolls("shop", 10, Duration.zero),
      store.recordPoll("shop", [RequestId.make("a1")], [], policy)
    ),
  "a decision": (store) => store.decide({ ...key, id: "open21" }, { _tag: "Withdrawn" }, "not a sale"),
  "a statement of the source": (store) => store.noteSource([{ key, states: "as-sent", fingerprint: null, text: null }])
}

const groups = { ...submissions, ...health, ...imports, ...ledger, ...liveSources, ...whole }

/** Every question and step, by a name that begins with its operation. */
export const questions: ReadonlyArray<readonly [name: string, asked: Asked]> = [
  ...Object.entries(groups).flatMap(([name, ways]) =>
    Object.entries(ways).map(([way, asked]) => [`${name}, ${way}`, asked] as const)
  ),
  ...Object.entries(steps)
]
