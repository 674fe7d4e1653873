/** Runs scripted stories of documents to their end, each on a separate engine. */
import { it } from "@effect/vitest"
import type { Effect } from "effect"
import type { StatusPoller } from "../../src/sending/StatusPoller.ts"
import type { Submitter, SubmitterOptions } from "../../src/sending/Submitter.ts"
import type { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { test } from "./Engine.ts"
import { make, type ScriptedGateway } from "./ScriptedGateway.ts"

type Step = Effect.Effect<unknown, unknown, SubmissionStore | Submitter | StatusPoller>

/** Defines a test; the gateway accepts and fiscalizes everything without another answer. */
export const story = (
  name: string,
  tell: (gateway: ScriptedGateway) => Generator<Step, void, never>,
  options?: SubmitterOptions
): void => {
  it.effect(
    name,
    test(() => tell(make()), options)
  )
}
