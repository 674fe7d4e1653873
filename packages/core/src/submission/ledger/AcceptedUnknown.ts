/**
 * Facts of a device that an operator accepted as unknown: documents are sent without the check that
 * needs the fact.
 */
import { Schema } from "effect"

/** Facts that a guard needs. */
export const facts = ["taxes", "vat", "currencies", "last-close"] as const
export type Fact = (typeof facts)[number]

export const isFact = Schema.is(Schema.Literals(facts))

/** Operator's decision, valid until the gateway states the fact again. */
export interface AcceptedUnknown {
  readonly account: string
  readonly fact: Fact
  /** Reason of the operator. */
  readonly because: string
  /** In milliseconds since the epoch. */
  readonly at: number
}
