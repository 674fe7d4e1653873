/** Checks that an import would also make. */
import { Effect, Result } from "effect"
import * as AnswerMisfits from "../account/AnswerMisfits.ts"
import * as SupportedCurrencies from "../account/SupportedCurrencies.ts"
import type * as Instant from "../document/Instant.ts"
import * as Finding from "../finding/Finding.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import * as DayClose from "../gateway/DayClose.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import * as DeviceFacts from "../preflight/DeviceFacts.ts"
import { doubtful, factNames, FactFinding } from "../preflight/deviceRules.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { check, notAsked } from "./Check.ts"

export type Days = Result.Result<Effect.Success<ReturnType<typeof DayClose.reports>>, GatewayError>

export interface FactRequest {
  readonly account: string
  readonly gateway: Pick<GatewayOperations, "supportedCurrencies">
  readonly store: Pick<SubmissionStoreOperations, "acceptedUnknowns"> | undefined
}

const unreadable = ({ message, reason }: GatewayError): string | null =>
  reason._tag === "MalformedAnswer" ? message : null

/**
 * As an import would. A missing fact refuses the documents that need it, even if every other check
 * is fine.
 */
export const factCheck = Effect.fnUntraced(function* (
  { account, gateway, store }: FactRequest,
  device: FiscalDevice,
  days: Days,
  now: Instant.Instant
) {
  const listed = yield* Effect.result(SupportedCurrencies.read(gateway))
  if (Result.isFailure(listed)) return notAsked("facts", listed.failure.message)
  const accepted = store === undefined ? [] : yield* Effect.orElseSucceed(store.acceptedUnknowns(account), () => [])
  const because = Result.isSuccess(days) ? DayClose.lastOf(days.success, now.zone).doubt : unreadable(days.failure)
  const { doubts, notStated } = DeviceFacts.make(device, listed.success, now, {
    accepted,
    lastClose: because === null ? null : { state: "unreadable", text: because }
  })
  const unknown = doubts.map(({ fact }) => factNames[fact])
  const observations = [
    ...(unknown.length === 0 ? [] : [`not known: ${unknown.join("; ")}`]),
    ...(notStated.length === 0 ? [] : [`not stated: ${notStated.join("; ")}`])
  ]
  return check(
    "facts",
    observations.length === 0 ? "all are stated" : observations.join("; "),
    doubts.map(doubtFinding)
  )
})

const doubtFinding = (doubt: DeviceFacts.Doubt) => {
  if (doubt.state === "accepted") {
    const message = `sent without knowing ${factNames[doubt.fact]}`
    return Finding.make(FactFinding.FACT_ACCEPTED, { message, detail: doubt.text })
  }
  const { detail, message, steps } = doubtful(doubt)
  const code = doubt.state === "missing" ? FactFinding.FACT_MISSING : FactFinding.FACT_UNREADABLE
  return Finding.make(code, { ...(message && { message }), ...(detail && { detail }), ...(steps && { steps }) })
}

export const answerCheck = ({ misfits }: Pick<GatewayOperations, "misfits">) =>
  Effect.map(misfits, (unfit) =>
    check(
      "answers",
      unfit.length === 0 ? "as documented" : `${unfit.length} in another form than documented`,
      unfit.flatMap(({ misfits, operation }) => AnswerMisfits.findings(operation, misfits))
    )
  )
