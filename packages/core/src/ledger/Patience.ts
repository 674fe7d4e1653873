/**
 * Figures of patience: each with its unit, its reason, and the mistake that shows the need for it.
 */
import { Duration } from "effect"

/** One figure. `mutant`: the changed figure that a named test notices. */
export interface Figure<Is> {
  readonly is: Is
  readonly unit: string
  readonly reason: string
  readonly mutant: string
}

const figure = <const Is>(figure: Figure<Is>): Figure<Is> => figure

/** Age up to which an operator's decision counts a look as a look made for the decision. */
export const askedOnceMore = figure({
  is: Duration.minutes(1),
  unit: "duration",
  reason: "an operator decides by an answer that was read for this decision, not by yesterday's",
  mutant: "1 day: a document is freed although the gateway now says something else"
})

/** Number of different texts that are kept for one request. */
export const keptTexts = figure({
  is: 50,
  unit: "texts of a request",
  reason: "a gateway that changes its text with every look must not fill the store",
  mutant: "none: a text with random words adds a row with every look"
})

/** Last part of the time of an unproven failure, in which the account could send without a gap. */
export const lastHours = figure({
  is: Duration.hours(4),
  unit: "duration",
  reason: "a gateway that could not send for a while works off its queue for up to 3 hours 20 minutes",
  mutant: "zero: a device that was off at night settles a document that is still in the queue"
})

/** Least number of looks that settle a failure by time. */
export const leastLooks = figure({
  is: 3,
  unit: "looks",
  reason: "a nightly job looks a few times each night; two looks may both hit the same restart of the gateway",
  mutant: "1: one look of a nightly job settles what was accepted a day before"
})

/** Time after which the same failure in every look is a result (STAT-9). */
export const unproven = figure({
  is: Duration.hours(20),
  unit: "duration",
  reason: "a gateway retries by itself for minutes to hours; a nightly job settles what yesterday's job sent",
  mutant: "5 minutes: of 10 000 modelled histories 4 564 get a second receipt"
})
