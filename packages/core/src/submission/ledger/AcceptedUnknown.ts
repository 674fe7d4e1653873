/**
 * Facts of a device that an operator accepted as unknown: documents are sent without the check that
 * needs the fact.
 */
import { Schema } from "effect"
import type { StoreEffect } from "./StoreError.ts"

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

/** Operations of facts accepted as unknown. Each operation is one transaction. */
export interface AcceptedUnknownOperations {
  /**
   * Records an operator's permission to send documents of the account without the check that needs
   * the fact.
   */
  readonly acceptUnknown: (account: string, fact: Fact, because: string) => StoreEffect<void>
  /**
   * Returns the facts of one account, or of all, that operators accepted as unknown and the gateway
   * has not stated since.
   */
  readonly acceptedUnknowns: (account?: string) => StoreEffect<ReadonlyArray<AcceptedUnknown>>
  /** Records that the gateway states these facts again, which ends their acceptances. */
  readonly factsBack: (account: string, facts: ReadonlyArray<Fact>) => StoreEffect<void>
}
