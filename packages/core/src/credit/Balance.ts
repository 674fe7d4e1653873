/** Amount of an original that is left to credit (RCPT035). Pure. */
import { BigDecimal } from "effect"
import type { Money } from "../document/Money.ts"
import type { Credit, Original } from "../submission/ledger/Original.ts"

export interface Balance {
  readonly total: Money
  readonly credited: Money
}

export const exceeds = ({ credited, total }: Balance, note: Money): boolean =>
  BigDecimal.isGreaterThan(BigDecimal.sum(credited, note), total)

export const sum = (start: Money, credits: ReadonlyArray<Pick<Credit, "total">>): Money =>
  credits.reduce((sum, { total }) => BigDecimal.sum(sum, total), start)

/** Returns the sent credits of other notes. A waiting note is checked when its own turn comes. */
export const sentByOthers = (credits: ReadonlyArray<Credit>, note: string): ReadonlyArray<Credit> =>
  credits.filter(({ id, status }) => status === "sent" && id !== note)

/** True if the note was sent for this original, so that its stored amount counts. */
export const isSentFor = (original: Pick<Original, "credits"> | undefined, note: string): boolean =>
  original?.credits.some(({ id, status }) => id === note && status === "sent") === true
