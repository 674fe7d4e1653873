/**
 * Simulates an operator who executes every listed action and every printed step, in their order,
 * and looks at nothing. The reason is the placeholder as it is printed.
 */
import { Duration, Effect } from "effect"
import type { Submission } from "../../packages/core/src/submission/Submission.ts"
import type { SubmissionKey } from "../../packages/core/src/submission/PlannedDocument.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import * as Attention from "../../packages/core/src/attention/Attention.ts"
import { find } from "../../packages/core/src/codes/CodeEntry.ts"
import { coreCodes } from "../../packages/core/src/codes/KnownCodes.ts"
import type { Step } from "../../packages/core/src/finding/Step.ts"
import type { Draw } from "./Draw.ts"
import { codeOf } from "./Fixes.ts"
import { decisionOf, subjectsOf } from "./laws/AttentionLaws.ts"

/** Reason as the commands are printed: a placeholder, which only an operator can replace. */
export const printedReason = "<what you saw or did>"

export interface BlindOptions {
  /** Draws the order of the steps: as printed, or the last one first. */
  readonly draw: Draw
  /** Called for each accepted decision, with a description. */
  readonly taken: (text: string) => void
}

const stepsOf = (submission: Submission): ReadonlyArray<Step> => find(coreCodes, codeOf(submission))?.steps ?? []

/** Returns the program of one visit. */
export const blindly = ({ draw, taken }: BlindOptions) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    let decisions = 0
    const decide = (key: SubmissionKey, step: Step) =>
      Effect.gen(function* () {
        const decision = decisionOf(step)
        if (decision === undefined) return
        const said = yield* store.decide(key, decision, printedReason)
        if (said._tag === "Refused") return
        decisions++
        taken(`${decision._tag} of ${key.id}`)
      })
    const isForwards = draw.chance(0.5)
    const inOrder = <A>(all: ReadonlyArray<A>) => (isForwards ? all : all.toReversed())
    for (const item of Attention.of(yield* store.health(Duration.days(7))))
      for (const action of inOrder(item.actions.filter(({ effect }) => effect === "settles")))
        for (const key of yield* subjectsOf(action)) yield* decide(key, action.step)
    for (const submission of yield* store.list({ limit: 1000 }))
      for (const step of inOrder(stepsOf(submission))) yield* decide(submission, step)
    return `${decisions} decided without looking`
  })
