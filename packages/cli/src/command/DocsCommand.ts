/**
 * Command `connector docs TOPIC`: shows the documentation pages named in messages, without a
 * network.
 */
import { docsPage } from "@fiscal-connector/core/unstable/finding/DocsPage"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { pages } from "../docs/Pages.ts"
import { Call } from "../output/Call.ts"
import * as Output from "../output/Output.ts"
import { notDone } from "../output/ExitError.ts"
import { padEnd, printable } from "../output/Terminal.ts"

/**
 * Returns the topic, such as `store`, for each form used by messages and links, such as
 * `docs/store.md#move`.
 */
const topicOf = (named: string): string =>
  named
    .toLowerCase()
    .split("#")[0]!
    .replace(/^.*\bdocs\//, "")
    .replace(/\/readme\.md$|\.md$/, "")

const titleOf = (page: string): string => /^# (.*)$/m.exec(page)?.[1] ?? ""

const urlOf = (topic: string): string => docsPage(topic === "errors" ? "errors/README" : topic)

const list = (): string => {
  const topics = Object.keys(pages)
  const width = Math.max(...topics.map((topic) => topic.length)) + 2
  return topics.map((topic) => `${padEnd(topic, width)}${titleOf(pages[topic]!)}`).join("\n")
}

export const docs = Command.make(
  "docs",
  {
    topic: Argument.String("topic").pipe(
      Argument.withDescription("a page as it is listed without one, or as a message names it"),
      Argument.optional
    )
  },
  Effect.fnUntraced(function* ({ topic: named }) {
    if (Option.isNone(named)) {
      const topics = Object.entries(pages).map(([topic, page]) => ({ topic, title: titleOf(page), url: urlOf(topic) }))
      return yield* Output.answer("topics", { topics }, list())
    }
    const topic = topicOf(named.value)
    const page = Object.hasOwn(pages, topic) ? pages[topic]! : undefined
    if (page === undefined) {
      const next = (yield* Call).next({ command: ["docs"] })
      return yield* notDone(`There is no page ${printable(named.value)}. All of them:\n  ${next}`)
    }
    const url = urlOf(topic)
    yield* Output.answer("page", { topic, url, text: page }, `${url}\n\n${page.trimEnd()}`)
  })
).pipe(Command.withDescription("Show a page of the documentation; needs no network"))
