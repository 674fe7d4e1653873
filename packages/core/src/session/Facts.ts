/** Device facts of one plan, and warnings about unknown facts. */
import { DateTime, Effect } from "effect"
import type { AccountFacts } from "../account/AccountFacts.ts"
import * as AnswerMisfits from "../account/AnswerMisfits.ts"
import * as SupportedCurrencies from "../account/SupportedCurrencies.ts"
import * as Finding from "../finding/Finding.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { OperationId } from "../gateway/contract/Operation.ts"
import type { BeyondDay, ImportPlan } from "../import/ImportPlan.ts"
import * as CivilDate from "../document/CivilDate.ts"
import { RCPT041 } from "../finding/ReceiptRule.ts"
import { type AcceptedUnknown, facts } from "../submission/ledger/AcceptedUnknown.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import * as GatewayMappings from "../mapping/GatewayMappings.ts"
import * as DeviceFacts from "../preflight/DeviceFacts.ts"
import * as DeviceReadiness from "../preflight/DeviceReadiness.ts"
import { factNames, FactFinding } from "../preflight/deviceRules.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

/**
 * Reads the facts that the account facts do not contain yet. Unknown facts that an operator
 * accepted come from the store. For an account in the environment `sandbox` (our own sandbox, set
 * up from the book), the gateway's mappings are not read.
 */
export const read = (
  account: AccountFacts
): Effect.Effect<DeviceFacts.DeviceFacts, GatewayError | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const now = DateTime.setZone(yield* DateTime.now, account.zone)
    const text = account.lastCloseDoubt
    const isOwn = account.destination.environment === "sandbox"
    return DeviceFacts.make(account.device, yield* SupportedCurrencies.read(account.gateway), now, {
      accepted: yield* store.acceptedUnknowns(account.account),
      lastClose: text === null ? null : { state: "unreadable", text },
      mappings: isOwn ? null : yield* GatewayMappings.readCodes(account.gateway)
    })
  })

const asked: ReadonlySet<OperationId> = new Set(["supportedCurrencies", "taxMappings", "currencyMappings"])

/**
 * Returns the warnings about a plan as a whole: reasons that keep the account from sending now,
 * facts that are not stated or were accepted as unknown, and answers in another form than
 * documented.
 */
export const warnings = (
  { assumptions, destination, device: answered, gateway, subscription }: AccountFacts,
  device: DeviceFacts.DeviceFacts,
  { beyondDay }: Pick<ImportPlan, "beyondDay">
): Effect.Effect<ReadonlyArray<Finding.Finding>> =>
  Effect.map(gateway.misfits, (misfits) => {
    const accepted = device.doubts.filter(({ state }) => state === "accepted")
    // Our own sandbox states what its book says.
    const notStated = destination.environment === "sandbox" ? [] : device.notStated
    return [
      ...DeviceReadiness.check(answered, subscription, assumptions).filter(Finding.refuses),
      ...accepted.map(({ fact, text }) =>
        Finding.make(FactFinding.FACT_ACCEPTED, { message: `sent without knowing ${factNames[fact]}`, detail: text })
      ),
      ...(notStated.length === 0
        ? []
        : [
            Finding.make(FactFinding.FACT_NOT_STATED, { message: `the gateway does not state ${notStated.join("; ")}` })
          ]),
      ...(beyondDay === null || destination.environment === "sandbox" ? [] : [marked(beyondDay)]),
      ...misfits
        .filter(({ operation }) => asked.has(operation))
        .flatMap(({ misfits, operation }) => AnswerMisfits.findings(operation, misfits))
    ]
  })

const marked = ({ documents, first, hours }: BeyondDay) =>
  Finding.make(RCPT041, {
    message: `the device will mark ${documents} ${documents === 1 ? "receipt" : "receipts"} of this import (RCPT041)`,
    detail: `dated more than ${hours} hours after the first, of ${CivilDate.of(first)}`
  })

export const back = (
  store: Pick<SubmissionStoreOperations, "factsBack">,
  account: AcceptedUnknown["account"],
  { doubts }: DeviceFacts.DeviceFacts
): Effect.Effect<void, StoreError> =>
  store.factsBack(
    account,
    facts.filter((fact) => doubts.every((doubt) => doubt.fact !== fact))
  )
