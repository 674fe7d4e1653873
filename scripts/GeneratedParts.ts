/**
 * Generated parts of handwritten pages, between `<!-- generated: NAME -->` and
 * `<!-- end: NAME -->`.
 */
import { presets } from "../packages/adapter-csv/src/formats/Presets.ts"
import type { KitAdapter } from "../packages/adapter-kit/src/defineAdapter.ts"
import { formats } from "../packages/cli/src/format/Formats.ts"
import { docPath } from "../packages/core/src/codes/DocUrl.ts"
import type { Assumption } from "../packages/core/src/gateway/assumption/Assumption.ts"
import { assumptions } from "../packages/core/src/gateway/assumption/Assumptions.ts"
import { certainlyNotProcessed } from "../packages/core/src/gateway/contract/CertainlyNotProcessed.ts"
import { deviceCodes } from "../packages/core/src/preflight/DeviceReadiness.ts"
import { receiptRules } from "../packages/core/src/finding/ReceiptRule.ts"
import { settled, states, transitions } from "../packages/core/src/submission/Submission.ts"
import { guards, objections } from "../packages/core/src/store/lanes/Guards.ts"
import { arrows, everyPackage } from "./ImportGraph.ts"
import * as OperationsTable from "./pages/OperationsTable.ts"
import * as AnswersPart from "./pages/AnswersPart.ts"
import { table } from "./pages/MarkdownTable.ts"
import { coreRooms } from "./Rooms.ts"
import { witnesses } from "./Witnesses.ts"

const roomsTable = (): string => {
  const order = Object.keys(coreRooms)
  const all = arrows("core")
  const openTo = (room: string) => order.filter((other) => all.some(({ from, to }) => from === room && to === other))
  return table(
    ["room", "what is in it", "imports"],
    Object.entries(coreRooms).map(([room, { what }]) => [`\`${room}\``, what, openTo(room).join(", ") || "nothing"])
  )
}

const packagesTable = (): string =>
  table(
    ["package", "what it is", "imports"],
    everyPackage().map(({ description, imports, name }) => [
      `\`${name}\``,
      description,
      imports.join(", ") || "nothing"
    ])
  )

/** Returns the table of all state transitions, by cause. */
const transitionsTable = (): string =>
  table(
    ["from", "to", "causes"],
    states.flatMap((from) => {
      const ways = states.flatMap((to) => {
        const causes = transitions.filter((edge) => edge.from === from && edge.to === to).map(({ cause }) => cause)
        return causes.length === 0 ? [] : [[from, to, causes.join(", ")]]
      })
      return ways.length === 0 ? [[from, "nothing", ""]] : ways
    })
  )

const guardsTable = (): string =>
  table(
    ["guard", "law", "otherwise", "a decision to send", "queries"],
    guards.map((guard) => [
      guard.name,
      guard.law,
      objections(guard).join(", "),
      guard.cause === undefined ? "asked again" : `goes past, despite \`${guard.cause}\``,
      `${guard.queries ?? 0}`
    ])
  )

const settledStates = (): string => `Settled states, in which nothing changes automatically: ${settled.join(", ")}.`

const notProcessedTable = (): string =>
  table(
    ["event", "interpreted as"],
    certainlyNotProcessed.map((entry) =>
      entry.when === "answered"
        ? [`a complete answer with status ${entry.status}`, `\`${entry.reason}\``]
        : [`no request left this machine: ${entry.cause.replaceAll("-", " ")}`, "`NotSent`"]
    )
  )

const anchored = (id: string, target: string): string => `<a id="${id.toLowerCase()}"></a>[${id}](${target})`

const assumptionTable = (): string =>
  table(
    ["id", "assumption"],
    Object.entries<Assumption>(assumptions).map(([id, { takes }]) => [
      anchored(id, `assumptions.md#${id.toLowerCase()}`),
      takes
    ])
  )

const ruleTable = (): string =>
  table(
    ["code", "color", "problem"],
    [...receiptRules, ...deviceCodes].map(({ code, color, meaning }) => [anchored(code, docPath(code)), color, meaning])
  )

/**
 * Returns the tables of each adapter's stated values, with the values they are compared with, and
 * the tests.
 */
const witnessTables = (): string =>
  witnesses
    .map(({ adapter, rows }) => {
      const cells = rows.map(({ codes, heldAgainst, stated, test }) => [
        stated,
        heldAgainst,
        codes.map((code) => `[${code}](${docPath(code)})`).join(", ") || "asked as a question",
        `[${test.title}](../${test.file})`
      ])
      return `**${adapter}**\n\n${table(["stated by", "compared with", "code of a contradiction", "test"], cells)}`
    })
    .join("\n\n")

const loaded = await Promise.all(formats.filter(({ content }) => content === "json").map(({ load }) => load()))
const ofJson = loaded
  .map(({ adapter }) => adapter as typeof adapter & Pick<KitAdapter<object>, "harmless">)
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** Returns the fields that change nothing in a document, of every layout and system. */
const harmlessTable = (): string => {
  const names = (text: string) =>
    text
      .split("|")
      .map((name) => `\`${name}\``)
      .join(", ")
  const rows = (who: string, harmless: { readonly [reason: string]: string } = {}) =>
    Object.entries(harmless).map(([reason, fields]) => [who, reason, names(fields)])
  return table(
    ["export", "reason", "columns or fields"],
    [
      ...presets.flatMap(({ map, name }) => rows(name, map.harmless)),
      ...ofJson.flatMap(({ harmless, name }) => rows(name, harmless))
    ]
  )
}

/** Returns the generated parts by name, for each file relative to the repository. */
export const parts = (): ReadonlyMap<string, Readonly<Record<string, string>>> =>
  new Map([
    [
      "docs/architecture.md",
      {
        packages: packagesTable(),
        rooms: roomsTable(),
        guards: guardsTable(),
        transitions: transitionsTable(),
        settled: settledStates()
      }
    ],
    ["docs/witnesses.md", { witnesses: witnessTables(), harmless: harmlessTable() }],
    [
      "docs/gateway.md",
      {
        answers: AnswersPart.render(),
        "not-processed": notProcessedTable(),
        assumptions: assumptionTable(),
        operations: OperationsTable.render(),
        rules: ruleTable()
      }
    ]
  ])

/**
 * Returns the page with its generated parts filled in. Fails if the page has no markers for a part.
 */
export const filled = (page: string, generated: Readonly<Record<string, string>>): string =>
  Object.entries(generated).reduce((text, [name, part]) => {
    const [opening, closing] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`]
    const [from, to] = [text.indexOf(opening), text.indexOf(closing)]
    if (from < 0 || to < from) throw new Error(`the page has no ${opening} … ${closing}`)
    return `${text.slice(0, from)}${opening}\n${part}\n${text.slice(to)}`
  }, page)
