import { type AccountFacts, LateBy } from "@fiscal-connector/core/host/account"
import { Prepared } from "@fiscal-connector/core/host/import"
import { Credit, type OpenAccount } from "@fiscal-connector/core/session"
import { Identifiers, Money } from "@fiscal-connector/core/adapter"
import { OperatorRecord } from "@fiscal-connector/core/decisions"
import type { PlannedDocument } from "@fiscal-connector/core/store"
import { Effect, Option } from "effect"
import type { Creditable, CreditOptions, DecisionOptions } from "../FiscalConnector.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import * as manyDecisions from "./manyDecisions.ts"
import { problemOf } from "./problemOf.ts"
import { ofSubmission } from "./resultOf.ts"

const orderOf = (key: PlannedDocument.SubmissionKey, { full, number, receipt }: CreditOptions) => ({
  key,
  receipt,
  amount: full === true ? ("everything" as const) : ("difference" as const),
  number: number === undefined ? undefined : Identifiers.DocumentNumber.make(number)
})

const shown = (preview: Credit.Preview): Creditable => {
  const { balance, late, result } = preview
  const hindrance = result._tag === "Hindered" ? Credit.explain(result.by) : null
  return {
    balance: balance && Credit.formatted(balance),
    credit:
      result._tag === "Ready"
        ? {
            number: result.number,
            of: result.prepared.of,
            ...Prepared.formatted(result.prepared.figures),
            problems: result.findings.map((finding) => problemOf(finding))
          }
        : null,
    because: hindrance?.text ?? (result._tag === "NothingToCredit" ? result.cause : null),
    fix: hindrance?.fix ?? null,
    late: late && { documents: late.documents, before: late.before, text: LateBy.inWords(late) }
  }
}

const unknown = ({ id, kind }: PlannedDocument.SubmissionKey) =>
  new FiscalConnectorError("not_found", `the store has no ${kind} ${id}`)

export const creditable = <E, R>(
  facts: Effect.Effect<AccountFacts.AccountFacts, E, R>,
  key: PlannedDocument.SubmissionKey,
  options: CreditOptions = {}
) =>
  Effect.flatMap(
    Effect.flatMap(facts, (facts) => Credit.prepare(facts, orderOf(key, options))),
    Option.match({ onNone: () => Effect.fail(unknown(key)), onSome: (preview) => Effect.succeed(shown(preview)) })
  )

const refused = ({ message }: Credit.CreditRefused) =>
  Effect.fail(new FiscalConnectorError("decision_refused", message))

export const creditedReceipt = (
  key: PlannedDocument.SubmissionKey,
  receipt: string,
  reason: string,
  { by }: Pick<DecisionOptions, "by"> = {}
) =>
  Effect.gen(function* () {
    const problem = OperatorRecord.reasonProblem(reason)
    if (problem !== null) return yield* Effect.fail(new FiscalConnectorError("decision_refused", problem))
    const stated = yield* manyDecisions
      .decidedBy(by, Credit.stateCredited(key, receipt, reason))
      .pipe(Effect.catchTag("CreditRefused", refused))
    if (Option.isNone(stated)) return yield* Effect.fail(unknown(key))
  })

export const credit = <E, R>(
  permission: Effect.Effect<OpenAccount.OpenAccount, E, R>,
  key: PlannedDocument.SubmissionKey,
  options: CreditOptions & {
    readonly because: string
    readonly total: string
    readonly by?: string
    readonly patienceMs?: number
  }
) =>
  Effect.gen(function* () {
    const problem = OperatorRecord.reasonProblem(options.because)
    if (problem !== null) return yield* Effect.fail(new FiscalConnectorError("decision_refused", problem))
    const total = Option.getOrUndefined(Money.parse(options.total))
    if (total === undefined)
      return yield* Effect.fail(new FiscalConnectorError("config_invalid", "`total` is not an amount"))
    const decision = { ...orderOf(key, options), because: options.because, total }
    const sending = Credit.send(
      yield* permission,
      decision,
      options.patienceMs === undefined ? {} : { patience: options.patienceMs }
    )
    const sent = yield* manyDecisions.decidedBy(options.by, sending).pipe(Effect.catchTag("CreditRefused", refused))
    if (Option.isNone(sent)) return yield* Effect.fail(unknown(key))
    return ofSubmission(sent.value.note)
  })
