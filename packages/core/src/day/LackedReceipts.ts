import { BigDecimal, type DateTime, Effect } from "effect"
import type { AccountFacts } from "../account/AccountFacts.ts"
import * as Money from "../document/Money.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import { becauseOfDay } from "../submission/ledger/ReceiptGap.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { ComparedDay, OtherReceipts } from "./DayLeg.ts"
import * as FiscalDays from "./FiscalDays.ts"
import * as Receipts from "./Receipts.ts"

/** Days that are compared at most: each costs a request. */
const most = 3

/** Difference per receipt that rounding can explain (DOC-7). */
const rounding = BigDecimal.fromStringUnsafe("0.02")

/** Returns the sums that only receipts beyond every request of the store explain. */
const further = ({ claimed, mostOf, others, proven, standing }: ComparedDay): ReadonlyArray<OtherReceipts> => {
  const rounded = BigDecimal.multiply(rounding, BigDecimal.make(BigInt(proven + claimed + 1), 0))
  if (standing !== "agrees") return []
  return others.filter(({ currency, sum }) => {
    const ours = mostOf(currency)
    return ours !== null && BigDecimal.isGreaterThan(sum, BigDecimal.sum(rounded, ours))
  })
}

/**
 * Returns why the store lacks receipts of a day that was closed after it had its newest receipt, in
 * fiscal day `day`. Null if no day shows it. Fails if a report cannot be read. A day that was open
 * at `since` is left out: it may have earlier receipts of another store.
 */
export const find = (
  store: FiscalDays.DayStore,
  lane: string,
  accounts: ReadonlyArray<Pick<AccountFacts, "account" | "days" | "gateway" | "zone">>,
  { day, since }: { readonly day: number; readonly since: DateTime.Utc }
): Effect.Effect<string | null, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const [account] = accounts
    if (account === undefined) return null
    const closed = FiscalDays.timesOf(account.days ?? [], account.zone)
      .filter(
        (one) =>
          one.close === "closed" &&
          one.day >= day &&
          one.after !== null &&
          one.after.epochMilliseconds > since.epochMilliseconds
      )
      .toSorted((a, b) => a.day - b.day)
      .slice(0, most)
    if (closed.length === 0) return null
    const compared = yield* FiscalDays.compare(closed, yield* Receipts.of(store, lane, closed), {
      // receipts that can be of other programs are receipts that the store lacks
      facts: { first: since, otherPrograms: { stated: "others", since } },
      accounts,
      reportOf: (day) => FiscalDays.reportOf(account.gateway, day)
    })
    const found = compared.find((one) => further(one).length > 0)
    if (found === undefined) return null
    const sums = further(found).map(({ currency, sum }) => `${currency} ${Money.formatAmount(sum)}`)
    return becauseOfDay(lane, found.day, sums.join(", "))
  })
