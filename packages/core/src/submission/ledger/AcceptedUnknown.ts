/** Documents are sent without the check that needs the accepted fact. */
import { Schema } from "effect"
import type { StoreEffect } from "./StoreError.ts"

export const facts = ["taxes", "vat", "currencies", "last-close"] as const
export type Fact = (typeof facts)[number]

export const isFact = Schema.is(Schema.Literals(facts))

/** Operator's decision, valid until the gateway states the fact again. */
export interface AcceptedUnknown {
  readonly account: string
  readonly fact: Fact
  readonly because: string
  /** In milliseconds since the epoch. */
  readonly at: number
}

export interface AcceptedUnknownOperations {
  readonly acceptUnknown: (account: string, fact: Fact, because: string) => StoreEffect<void>
  /**
   * Returns the facts of one account, or of all, that operators accepted as unknown and the gateway
   * has not stated since.
   */
  readonly acceptedUnknowns: (account?: string) => StoreEffect<ReadonlyArray<AcceptedUnknown>>
  readonly factsBack: (account: string, facts: ReadonlyArray<Fact>) => StoreEffect<void>
}
