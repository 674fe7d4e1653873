/**
 * Reads the cards of open things on the page, and executes their actions as an operator does who
 * looks in the gateway's portal before each decision.
 */
import { Effect } from "effect"
import { lines } from "../../packages/cli/test/RunningConnector.ts"
import type { Visitor } from "../../packages/ui/test/PageProcess.ts"
import type { Random } from "../Random.ts"
import { hour, type Shop } from "./FaultScenarios.ts"

/** Control of a card: a link, a form, or a text that says where else to act. */
export interface Control {
  readonly tag: "link" | "form" | "text"
  readonly path: string
  readonly label: string
}

export interface Card {
  readonly code: string
  readonly text: string
  readonly controls: ReadonlyArray<Control>
}

const plain = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim()

const control =
  /<a [^>]*href="([^"]*)"[^>]*>([^]*?)<\/a\s*>|<form [^>]*action="([^"]*)"[^>]*>([^]*?)<\/form>|<span class="small">([^]*?)<\/span>/g

/** Returns the cards of a page, in their order. A card without a known action has no control. */
export const cardsIn = (body: string, prefix: string): ReadonlyArray<Card> =>
  body
    .split('<section class="card case')
    .slice(1)
    .map((block) => {
      const footer = /<footer>([^]*?)<\/footer>/.exec(block)?.[1] ?? ""
      const path = (address: string) => plain(address).slice(prefix.length)
      return {
        code: /<code class="soft">([A-Z_]+)<\/code>/.exec(block)?.[1] ?? "",
        // codes are behind the words
        text: plain(
          (/<p class="found small">([^]*?)<\/p>/.exec(block)?.[1] ?? "").replaceAll(/<code[^]*?<\/code>/g, "")
        ),
        controls: Array.from(footer.matchAll(control), ([, href, link, action, form, text]): Control => {
          if (href !== undefined) return { tag: "link", path: path(href), label: plain(link ?? "") }
          if (action !== undefined) return { tag: "form", path: path(action), label: plain(form ?? "") }
          return { tag: "text", path: "", label: plain(text ?? "") }
        }).filter(({ label }) => !label.startsWith("No action is known"))
      }
    })

/** State of a shop, as far as an action may change it. */
export interface Seen {
  readonly items: ReadonlyArray<{
    readonly code: string
    readonly cause: string | null
    readonly account: string | null
    readonly lane: string | null
    readonly documents: number
    readonly text: string
    readonly until: string
    readonly actions: ReadonlyArray<{ readonly effect: string; readonly step: { readonly do: string } }>
  }>
  readonly open: number
  readonly doubled: ReadonlyArray<string>
}

export const seen = ({ run, sandbox }: Shop): Effect.Effect<Seen> =>
  Effect.gen(function* () {
    const [health] = lines((yield* run("health", "--config", "account.json", "--json")).out)
    const counts = health?.["counts"] as Readonly<Record<string, number>>
    const open = Object.entries(counts).filter(([state]) => state !== "Fiscalised" && state !== "Withdrawn")
    const doubled = (yield* sandbox.control.accepted).flatMap(({ number, receipts }) => (receipts > 1 ? [number] : []))
    return {
      items: health?.["concerns"] as Seen["items"],
      open: open.reduce((all, [, count]) => all + count, 0),
      doubled
    }
  })

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : plain(value)
}

interface Form {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly texts: ReadonlyArray<string>
  readonly choices: ReadonlyMap<string, ReadonlyArray<string>>
  readonly asksLive: boolean
}

const formsIn = (body: string, prefix: string): ReadonlyArray<Form> =>
  Array.from(body.matchAll(/<form\b[^>]*>[^]*?<\/form>/g), ([form]) => {
    const fields: Record<string, string> = {}
    const texts: Array<string> = []
    const choices = new Map<string, Array<string>>()
    for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
      const [name = "", type, value = ""] = ["name", "type", "value"].map((one) => attribute(tag, one))
      if (type === "radio") choices.set(name, [...(choices.get(name) ?? []), value])
      else if (type === "text") texts.push(name)
      else if (type !== "checkbox") fields[name] = value
    }
    const path = (attribute(form, "action") ?? "").slice(prefix.length)
    return { path, fields, texts, choices, asksLive: form.includes('name="live"') }
  })

const noteIn = (body: string): string => plain(/role="alert"><p>([^]*?)<\/p>/.exec(body)?.[1] ?? "")

/** Result of a control that an operator used: the decision, and the answer of the page. */
export interface Done {
  readonly did: string
  readonly note: string
  readonly problems: ReadonlyArray<string>
}

const makesNone: ReadonlySet<string> = new Set(["NotProcessed", "Resend", "Rejected", "Withdrawn"])
const shows = /^\/(?:health|days|documents\?|credits|$|\?)/

/**
 * Executes a control as shown. Null if the portal shows that each of its decisions would be a false
 * statement.
 */
export const execute = (
  shop: Shop,
  visitor: Visitor,
  { path, tag }: Control,
  random: Random
): Effect.Effect<Done | null> =>
  Effect.gen(function* () {
    const { prefix } = visitor.page
    const accepted = yield* shop.sandbox.control.accepted
    const receipts = (number: string) => accepted.find((one) => one.number === number)?.receipts ?? 0
    const idOf = (number: string) => accepted.find((one) => one.number === number)?.requestIds.at(-1)
    if (tag === "text") return { did: "nothing", note: "", problems: [] }
    const shown = yield* Effect.promise(() => visitor.get(tag === "form" ? "/health" : path))
    const problems = shown.status === 200 ? [] : [`${path} answers ${shown.status}`]
    if (tag === "link" && (shows.test(path) || shown.status !== 200))
      return { did: `look at ${path}`, note: "", problems }
    const form = formsIn(shown.body, prefix).find((one) =>
      tag === "form" ? one.path === path : !/source$|resume$|credits/.test(one.path)
    )
    if (form === undefined) return { did: `look at ${path}`, note: noteIn(shown.body), problems }
    const chosen: Record<string, string> = {}
    const numbers = Array.from(
      shown.body.matchAll(/\/documents\/[^/"]+\/(?:invoice|credit-note)\/([^"/?]+)"/g),
      ([, n]) => decodeURIComponent(n!)
    )
    const number = decodeURIComponent(path.split("/").at(-1)!)
    const isTrue = (decision: string, about: ReadonlyArray<string>) => {
      if (decision === "Fiscalised") return about.every((one) => receipts(one) > 0)
      if (decision === "Accepted") return about.every((one) => idOf(one) !== undefined)
      return !makesNone.has(decision) || about.every((one) => receipts(one) === 0)
    }
    for (const [name, values] of form.choices) {
      if (name === "decision" && values[0] === "Withdrawn") problems.push(`${path} begins with never sending`)
      const fit = name === "decision" ? values.filter((value) => isTrue(value, [number])) : values
      if (fit.length === 0) return null
      chosen[name] = random.pick(fit)
    }
    const decision = chosen["decision"] ?? form.fields["decision"]
    if (path.startsWith("/decide?") && !isTrue(decision ?? "", numbers)) return null
    const texts = Object.fromEntries(
      form.texts.map((name) => [
        name,
        name === "typed" || name === "seen"
          ? (form.fields[`count.${decision}`] ?? "")
          : name === "device" || name === "with.Resend" || name === "with.NotProcessed"
            ? "1001"
            : name === "with.Accepted"
              ? (idOf(number) ?? "")
              : name === "with.Fiscalised"
                ? ""
                : "the portal shows it"
      ])
    )
    const answer = yield* Effect.promise(async () => {
      const all = { ...form.fields, ...texts, ...chosen, ...(form.asksLive && { live: "yes" }) }
      const first = await visitor.post(form.path, all)
      return first.status === 303 ? visitor.get(visitor.whereTo(first)) : first
    })
    if (answer.status !== 200) problems.push(`${form.path} answers ${answer.status}`)
    return { did: `${form.path} ${JSON.stringify(chosen)}`, note: noteIn(answer.body), problems }
  })

/** Waits until the shop differs from before, for at most two seconds. */
export const changed = (shop: Shop, differs: (now: Seen) => boolean): Effect.Effect<Seen> =>
  Effect.gen(function* () {
    for (let i = 0; ; i++) {
      const now = yield* seen(shop)
      if (differs(now) || i === 8) return now
      yield* Effect.sleep("250 millis")
    }
  })

/** Time after which a decision within a quiet period is accepted. */
export const quiet = hour / 6
