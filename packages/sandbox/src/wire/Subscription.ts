import * as Schema from "effect/Schema"
import type { SubscriptionConfig } from "../DeviceConfig.ts"
import type * as ExactJson from "./ExactJson.ts"

export const Subscription = Schema.Struct({
  Id: Schema.Int,
  BillingSubscriptionId: Schema.String,
  CustomerName: Schema.String,
  DeviceId: Schema.Int,
  ExpiresOn: Schema.String,
  Status: Schema.String,
  AmountDue: Schema.Finite,
  IsDeleted: Schema.Boolean,
  AmountDueSince: Schema.NullOr(Schema.String),
  LastUpdatedOn: Schema.String,
  BillingPeriodUnit: Schema.String,
  Price: Schema.Finite,
  BillingPlanName: Schema.String,
  SubscriptionItems: Schema.Array(
    Schema.Struct({ Id: Schema.Int, SubscriptionId: Schema.Int, SubscriptionType: Schema.Int, Quantity: Schema.Int })
  )
}).annotate({ identifier: "Subscription" })

export const of = (config: SubscriptionConfig, deviceId: number): ExactJson.Printable => ({
  Id: 1,
  BillingSubscriptionId: `sandbox-${deviceId}`,
  CustomerName: config.customerName,
  DeviceId: deviceId,
  ExpiresOn: config.expiresOn,
  Status: config.status,
  AmountDue: config.amountDue,
  IsDeleted: false,
  AmountDueSince: config.amountDueSince,
  LastUpdatedOn: "2025-01-01T00:00:00",
  BillingPeriodUnit: config.billingPeriodUnit,
  Price: config.price,
  BillingPlanName: config.billingPlanName,
  SubscriptionItems: [{ Id: 1, SubscriptionId: 1, SubscriptionType: 1, Quantity: 1 }]
})
