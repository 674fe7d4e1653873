import { DocsPage } from "@fiscal-connector/core/host"
import { Effect } from "effect"
import { Argument } from "effect/cli"
import { describedCommand } from "../output/Flags.ts"
import { pages } from "../docs/Pages.ts"
import * as Sections from "../docs/Sections.ts"
import { Call } from "../output/Call.ts"
import * as Output from "../output/Output.ts"
import { notDone } from "../output/ExitError.ts"
import { padEnd, printable } from "../output/Terminal.ts"

/** Topic and anchor, as `run` and `move` of `docs/run.md#move`. */
const topicOf = (named: string) => {
  const [page = "", anchor] = named.toLowerCase().split("#")
  return { topic: page.replace(/^.*\bdocs\//, "").replace(/\/readme\.md$|\.md$/, ""), anchor }
}

const titleOf = (page: string): string => /^# (.*)$/m.exec(page)?.[1] ?? ""

const urlOf = (name: string): string => {
  const [topic = "", anchor] = name.split("#")
  const page = DocsPage.docsPage(topic === "errors" ? "errors/README" : topic)
  return anchor === undefined ? page : `${page}#${anchor}`
}

const answerList = (found: ReadonlyArray<{ readonly name: string; readonly title: string }>) => {
  const width = Math.max(...found.map(({ name }) => name.length)) + 2
  const topics = found.map(({ name, title }) => ({ topic: name, title, url: urlOf(name) }))
  return Output.answer("topics", { topics }, found.map(({ name, title }) => padEnd(name, width) + title).join("\n"))
}

const shown = 5

export const docs = describedCommand(
  "docs",
  "Show a page of the documentation, or search it; needs no network",
  {
    topic: Argument.String("topic").pipe(
      Argument.withDescription("a page or page#section as it is listed or named by a message, or words to search for"),
      Argument.variadic()
    )
  },
  Effect.fnUntraced(function* ({ topic: words }) {
    if (words.length === 0)
      return yield* answerList(Object.entries(pages).map(([name, page]) => ({ name, title: titleOf(page) })))
    const named = words.join(" ")
    const { anchor, topic } = topicOf(named)
    if (!Object.hasOwn(pages, topic)) {
      const found = Sections.search(named).slice(0, shown)
      if (found.length > 0) return yield* answerList(found)
      const next = (yield* Call).next({ command: ["docs"] })
      return yield* notDone(`There is no page ${printable(named)}. All of them:\n  ${next}`)
    }
    const section = anchor === undefined ? undefined : Sections.find(topic, anchor)
    const [name, text] = section === undefined ? [topic, pages[topic]!] : [section.name, section.text]
    const url = urlOf(name)
    yield* Output.answer("page", { topic: name, url, text }, `${url}\n\n${text.trimEnd()}`)
  })
)
