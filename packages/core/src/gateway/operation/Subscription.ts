/**
 * The device's billing subscription (docs/gateway.md#subscription). Amounts are in the gateway's
 * billing currency, which the gateway does not state.
 */
import type { RecordOf } from "../exchange/AnswerRecord.ts"
import { type Calls, readJson } from "../exchange/Calls.ts"
import * as AnswerTable from "./AnswerTable.ts"

/** Subscription of the device. `status` is an open enumeration (SUB-1). */
export interface Subscription extends RecordOf<(typeof AnswerTable.Subscription)["table"]> {}

const answer = readJson(AnswerTable.Subscription.decode)

/** Makes this operation over the calls of one account. */
export const operations = (calls: Calls) => ({ subscription: calls.read({ operation: "subscription" }, answer) })
