/** The device's billing subscription (docs/gateway.md#subscription). Amounts are in the gateway's billing currency, which it does not state. */
import { Effect, Schema } from "effect"
import * as Money from "../../document/Money.ts"
import { nullable, record, WholeNumber } from "../exchange/AnswerRecord.ts"
import { type Calls, decoding, readJson } from "../exchange/Calls.ts"
import { AnswerDateTime } from "./LocalDateTime.ts"

/** One item of a subscription. */
export const SubscriptionItem = record({
  id: WholeNumber,
  subscriptionId: nullable(WholeNumber),
  subscriptionType: nullable(WholeNumber),
  quantity: nullable(WholeNumber)
})
export interface SubscriptionItem extends Schema.Schema.Type<typeof SubscriptionItem> {}

/** `status` is an open enumeration; the value `active` is seen. */
export const Subscription = record({
  id: WholeNumber,
  billingSubscriptionId: nullable(Schema.String),
  customerName: nullable(Schema.String),
  deviceId: nullable(WholeNumber),
  expiresOn: nullable(AnswerDateTime),
  status: Schema.String,
  amountDue: nullable(Money.Amount),
  isDeleted: nullable(Schema.Boolean),
  amountDueSince: nullable(AnswerDateTime),
  lastUpdatedOn: nullable(AnswerDateTime),
  billingPeriodUnit: nullable(Schema.String),
  price: nullable(Money.Amount),
  billingPlanName: nullable(Schema.String),
  subscriptionItems: Schema.Array(SubscriptionItem).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
})
export interface Subscription extends Schema.Schema.Type<typeof Subscription> {}

const answer = readJson(decoding(Subscription))

/** This operation over the calls of one account. */
export const operations = (calls: Calls) => ({ subscription: calls.read({ operation: "subscription" }, answer) })
