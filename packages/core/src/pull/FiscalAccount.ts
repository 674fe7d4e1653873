/**
 * An account as one service, for a job with Effect: hands over documents, and returns what became
 * of each. `Session` has the single steps, `Connector` the decisions.
 */
import { Context, Effect, FileSystem, Layer, Stream } from "effect"
import * as OpenAccount from "../account/OpenAccount.ts"
import * as Attention from "../attention/Attention.ts"
import type { ImportedDocument } from "../import/ImportedDocument.ts"
import type { Staging } from "../import/Staging.ts"
import * as BookFile from "../mapping/BookFile.ts"
import * as StatusPoller from "../sending/StatusPoller.ts"
import type { Submitter } from "../sending/Submitter.ts"
import * as ConfiguredAccount from "../session/ConfiguredAccount.ts"
import * as RunReport from "../session/RunReport.ts"
import * as Session from "../session/Session.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/** The account with its files, and the permission. */
export interface Options extends Omit<ConfiguredAccount.Opening, "zone"> {
  readonly account: string
  readonly config: string
  readonly book: string
}

/** Decisions about the documents of one call. */
export interface SyncOptions
  extends
    Session.Decisions,
    Pick<Session.ImportOrder, "notBefore" | "originals" | "timing">,
    Pick<Session.RunOptions, "patience"> {}

/** Outcome of the documents of one call. */
export interface SyncReport {
  /**
   * `done`: each document is fiscalized and equals what was sent, or is not to be sent. `open`: the
   * rest is on its way; run again. `needs-operator`: `connector health` shows what to do.
   */
  readonly ending: RunReport.RunEnding
  readonly documents: ReadonlyArray<ImportedDocument>
  /** Findings without a document, such as rows that became none. */
  readonly problems: Session.PlannedImport["plan"]["unattached"]
}

type SendingServices = SubmissionStore | Staging | Submitter | StatusPoller.StatusPoller

const make = ({ account, book: file, config, ...opening }: Options) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const book = yield* BookFile.load(file, yield* fs.readFileString(file))
    const opened = yield* ConfiguredAccount.open(config, account, { ...opening, zone: book.zone })
    const engine = yield* Effect.context<SendingServices>()
    const sync = (
      readings: Stream.Stream<Reading, AdapterError>,
      { patience, source, whenLate, ...order }: SyncOptions = {}
    ) =>
      Effect.gen(function* () {
        yield* OpenAccount.renew(opened)
        const planned = yield* Session.plan(opened, { ...order, readings, book })
        const { plan } = planned
        const consent = yield* Session.consent(opened, planned, { source, whenLate })
        const sending = Session.send(consent, patience === undefined ? {} : { patience })
        const { accepted } = yield* Session.report(sending)
        const documents = (yield* Stream.runCollect(Session.documents(plan, accepted, account))).flat()
        const health = yield* SubmissionStore.use((store) => store.health(StatusPoller.policyOf(opened).retention))
        const items = Attention.ofAccounts(Attention.of(health), health, [account])
        const standings = new Set([
          ...documents.map((document) => RunReport.ofDocument(document, plan.dismissed)),
          ...plan.unattached.map((finding) => RunReport.ofFinding(finding, plan.dismissed)),
          ...items.flatMap((item) => RunReport.ofItem(item) ?? [])
        ])
        const report: SyncReport = { ending: RunReport.ending(standings), documents, problems: plan.unattached }
        return report
      }).pipe(Effect.scoped, Effect.provideContext(engine))
    return { sync }
  })

type Making = ReturnType<typeof make>

/** An open account, and what a job does with it. */
export class FiscalAccount extends Context.Service<
  FiscalAccount,
  {
    /**
     * Plans the readings, stores the plan, sends it, and waits for outcomes. Plain objects:
     * `PlainDocuments.readings(objects)`; an export: `adapter.read(input, options)`. A second call
     * with the same documents sends nothing. Sends nothing if it fails: `AccountStopped` if the
     * device or the store does not permit it, `ImportRefused` if refused documents would become
     * late or the gateway lacks a code, `AdapterError` if the export cannot be read.
     */
    readonly sync: (
      readings: Stream.Stream<Reading, AdapterError>,
      options?: SyncOptions
    ) => Effect.Effect<SyncReport, Effect.Error<ReturnType<Effect.Success<Making>["sync"]>>>
  }
>()("@fiscal-connector/core/pull/FiscalAccount") {}

/**
 * Opens the account with all checks that protect the fiscal day. Fails with every blocker. A live
 * device needs `live: "allowed"`, and once `firstUse` with the code that the refusal shows. The
 * services of sending are in `node/SendingEngine`.
 */
export const layer = (
  options: Options
): Layer.Layer<FiscalAccount, Effect.Error<Making>, SendingServices | Effect.Services<Making>> =>
  Layer.effect(FiscalAccount, make(options))
