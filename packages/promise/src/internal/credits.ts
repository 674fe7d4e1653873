/** Prepared credit notes of an account. */
import type { AccountFacts } from "@fiscal-connector/core/unstable/account/AccountFacts"
import type { OpenAccount } from "@fiscal-connector/core/account/OpenAccount"
import { DocumentNumber } from "@fiscal-connector/core/document/Identifiers"
import { formatAmount, parse } from "@fiscal-connector/core/document/Money"
import { reasonProblem } from "@fiscal-connector/core/submission/OperatorRecord"
import type { SubmissionKey } from "@fiscal-connector/core/submission/PlannedDocument"
import * as Credit from "@fiscal-connector/core/unstable/session/Credit"
import * as LateBy from "@fiscal-connector/core/unstable/session/LateBy"
import { Effect, Option } from "effect"
import type { Creditable, CreditOptions } from "../FiscalConnector.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import * as manyDecisions from "./manyDecisions.ts"
import { problemOf } from "./problemOf.ts"
import { ofSubmission } from "./resultOf.ts"

const orderOf = (key: SubmissionKey, { full, number }: CreditOptions) => ({
  key,
  amount: full === true ? ("everything" as const) : ("difference" as const),
  number: number === undefined ? undefined : DocumentNumber.make(number)
})

const shown = (preview: Credit.Preview): Creditable => {
  const { balance, late, result } = preview
  const hindrance = result._tag === "Hindered" ? Credit.explain(result.by) : null
  return {
    balance: balance && {
      fiscalised: Credit.formatted(balance.fiscalised),
      credited: Credit.formatted(balance.credited),
      stated: balance.stated && Credit.formatted(balance.stated)
    },
    credit:
      result._tag === "Ready"
        ? {
            number: result.number,
            of: result.prepared.of,
            ...Credit.formatted(result.prepared.figures),
            problems: result.findings.map((finding) => problemOf(finding))
          }
        : null,
    because: hindrance?.because ?? (result._tag === "NothingToCredit" ? result.because : null),
    fix: hindrance?.fix ?? null,
    late: late && { documents: late.documents, before: late.before, text: LateBy.inWords(late) }
  }
}

const unknown = ({ id, kind }: SubmissionKey) => new FiscalConnectorError("not_found", `the store has no ${kind} ${id}`)

export const creditable = <E, R>(
  facts: Effect.Effect<AccountFacts, E, R>,
  key: SubmissionKey,
  options: CreditOptions = {}
) =>
  Effect.flatMap(
    Effect.flatMap(facts, (facts) => Credit.prepare(facts, orderOf(key, options))),
    Option.match({ onNone: () => Effect.fail(unknown(key)), onSome: (preview) => Effect.succeed(shown(preview)) })
  )

const because = ({ reason }: Credit.CreditRefused): string => {
  switch (reason._tag) {
    case "NotReady":
      return reason.because
    case "Differs":
      return `${formatAmount(reason.is)} is left to credit now, not ${formatAmount(reason.seen)}`
    case "NotPlanned":
      return reason.because
  }
}

export const credit = <E, R>(
  permission: Effect.Effect<OpenAccount, E, R>,
  key: SubmissionKey,
  options: CreditOptions & {
    readonly because: string
    readonly total: string
    readonly by?: string
    readonly patienceMs?: number
  }
) =>
  Effect.gen(function* () {
    const problem = reasonProblem(options.because)
    if (problem !== null) return yield* Effect.fail(new FiscalConnectorError("decision_refused", problem))
    const total = Option.getOrUndefined(parse(options.total))
    if (total === undefined)
      return yield* Effect.fail(new FiscalConnectorError("config_invalid", "`total` is not an amount"))
    const decision = { ...orderOf(key, options), because: options.because, total }
    const sending = Credit.send(
      yield* permission,
      decision,
      options.patienceMs === undefined ? {} : { patience: options.patienceMs }
    )
    const sent = yield* manyDecisions
      .decidedBy(options.by, sending)
      .pipe(
        Effect.catchTag("CreditRefused", (error) =>
          Effect.fail(new FiscalConnectorError("decision_refused", `nothing was sent: ${because(error)}`))
        )
      )
    if (Option.isNone(sent)) return yield* Effect.fail(unknown(key))
    return ofSubmission(sent.value.note)
  })
