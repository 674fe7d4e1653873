/** JSON of values whose fields have other names in the sources. The names in JSON never change. */
import type { Doctor } from "@fiscal-connector/core/host/account"
import type { Explanation, Lane, Submission } from "@fiscal-connector/core/store"

/** Keeps the order of the fields. */
const withText = (name: "because" | "said", value: object | null) =>
  value && Object.fromEntries(Object.entries(value).map(([own, field]) => [own === "text" ? name : own, field]))

const ofSubmission = (submission: Submission.Submission) =>
  withText("said", { ...submission, hold: withText("because", submission.hold) })

export const ofExplanation = (explanation: Explanation.Explanation) => ({
  ...explanation,
  submission: ofSubmission(explanation.submission),
  attempts: explanation.attempts.map((attempt) => ({ ...attempt, result: withText("because", attempt.result) })),
  facts: { ...explanation.facts, hold: withText("because", explanation.facts.hold) }
})

export const ofLane = (lane: Lane.LaneView) => ({ ...lane, stop: withText("because", lane.stop) })

export const ofCheck = (check: Doctor.Check) => withText("said", check)
