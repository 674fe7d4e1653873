/**
 * Asks all open questions about an import's files: core's questions, with the gateway's facts on
 * its device and mappings.
 */
import { type AccountFacts, KnownOfGateway } from "@fiscal-connector/core/host/account"
import { Conversation, Questions } from "@fiscal-connector/core/host/import"
import { Effect, type PlatformError } from "effect"
import * as Texts from "../text/Texts.ts"
import { type PageImport, type Phase, readingAnswersOf } from "./PageImport.ts"
import * as Planning from "./Planning.ts"

const zones = (): readonly [string, ...ReadonlyArray<string>] => {
  const own = Texts.proposedZone()
  return [own, ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== own)]
}

/** Stores the changed settings, at most once for a reading. True if they are stored. */
export type KeepSettings = (before: string, after: string) => Effect.Effect<boolean, PlatformError.PlatformError>

/**
 * Subjects of questions for originals: only how their files are read, since originals are not sent.
 */
const ofReading: ReadonlySet<string> = new Set(["contents", "columns", "file", "zone", "currency"])

/**
 * Returns the open questions as a phase, null without questions. `stored`: the settings, if any.
 * `keep` stores settings that earlier answers change, now that the files are read by them; then
 * the phase is `Kept`. Fails if no answer can make the files readable.
 */
export const ask = (
  one: PageImport,
  bookFile: string,
  stored: { readonly text: string } | undefined,
  { gateway }: Pick<AccountFacts.AccountFacts, "gateway">,
  keep: KeepSettings
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
    const settled = Conversation.bookOf(asking, next.state)
    if (stored !== undefined && settled !== stored.text && (yield* keep(stored.text, settled)))
      return { _tag: "Kept" as const }
    const asked = next._tag === "Done" ? [] : [...next.questions, ...next.later]
    const questions = asked.filter(({ subject }) => one.purpose === "import" || ofReading.has(subject))
    return questions.length === 0
      ? null
      : ({
          _tag: "Questions",
          opened: { ...next.opened, questions },
          state: next.state,
          text: Questions.bookText(asking),
          problem: null
        } satisfies Phase)
  })
