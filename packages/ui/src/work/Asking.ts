/**
 * Asks all open questions about an import's files: core's questions, with the gateway's facts on
 * its device and mappings.
 */
import type { AccountFacts } from "@fiscal-connector/core/unstable/account/AccountFacts"
import * as KnownOfGateway from "@fiscal-connector/core/unstable/attention/KnownOfGateway"
import * as Conversation from "@fiscal-connector/core/unstable/question/Conversation"
import * as Questions from "@fiscal-connector/core/unstable/question/Questions"
import { Effect } from "effect"
import * as Texts from "../text/Texts.ts"
import { type PageImport, type Phase, readingAnswersOf } from "./PageImport.ts"
import * as Planning from "./Planning.ts"

/** Returns the time zones to choose from, this computer's first. */
const zones = (): readonly [string, ...ReadonlyArray<string>] => {
  const own = Texts.proposedZone()
  return [own, ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== own)]
}

/**
 * Subjects of questions for originals: only how their files are read, since originals are not sent.
 */
const ofReading: ReadonlySet<string> = new Set(["contents", "columns", "file", "zone", "currency"])

/**
 * Returns the open questions as a phase, null without questions. `stored`: the settings, if any.
 * Fails if no answer can make the files readable.
 */
export const ask = (
  one: PageImport,
  bookFile: string,
  stored: { readonly text: string } | undefined,
  { gateway }: Pick<AccountFacts, "gateway">
) =>
  Effect.gen(function* () {
    const known = yield* KnownOfGateway.read(gateway)
    const asking: Questions.Asking<unknown> = {
      adapter: one.format.adapter,
      input: yield* Planning.inputOf(one),
      options: yield* one.format.options(readingAnswersOf(one)),
      ...(stored && { book: { file: bookFile, text: stored.text } }),
      ...known,
      ...(one.reasked === "zone" && { zone: "asked" }),
      zones: zones()
    }
    const given = Array.from(one.answers, ([subject, { answer }]) => [subject, { answer, origin: "run" }] as const)
    const next = yield* Conversation.next(asking, Conversation.begin(new Map(given)))
    if (next._tag === "Stopped") return yield* next.error
    const asked = next._tag === "Done" ? [] : [...next.questions, ...next.later]
    const questions = asked.filter(({ subject }) => one.purpose === "import" || ofReading.has(subject))
    return questions.length === 0
      ? null
      : ({
          _tag: "Questions",
          opened: { ...next.opened, questions },
          state: next.state,
          text: Questions.bookText(asking),
          given: new Map(),
          problem: null
        } satisfies Phase)
  })
