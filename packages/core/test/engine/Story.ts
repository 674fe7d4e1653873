/** What happens to documents on an engine of their own, told to the end. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import type { StatusPoller } from "../../src/engine/StatusPoller.ts"
import type { Submitter, SubmitterOptions } from "../../src/engine/Submitter.ts"
import type { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { test } from "./Engine.ts"
import { make, type ScriptedGateway } from "./ScriptedGateway.ts"

type Step = Effect.Effect<unknown, unknown, SubmissionStore | Submitter | StatusPoller>

/** A test by its name; the gateway accepts and fiscalises everything it has no other answer for. */
export const story = (
  name: string,
  tell: (gateway: ScriptedGateway) => Generator<Step, void, never>,
  options?: SubmitterOptions
): void => {
  it.effect(
    name,
    test(() => Effect.gen(() => tell(make())), options)
  )
}
