/**
 * Checks every block of JSON in the README and in docs with the reader for its kind, exactly as
 * written.
 */
import * as MapFile from "@fiscal-connector/adapter-csv/MapFile"
import type { AttentionItem } from "../../core/src/attention/Attention.ts"
import * as AttentionCode from "../../core/src/attention/AttentionCode.ts"
import * as ConfigFile from "../../core/src/configuration/ConfigFile.ts"
import * as Finding from "../../core/src/finding/Finding.ts"
import * as BookFile from "../../core/src/mapping/BookFile.ts"
import type { LaneReport } from "../../core/src/sending/LaneRun.ts"
import * as Alert from "../../core/src/attention/Alert.ts"
import * as RememberedAnswers from "../../core/src/question/RememberedAnswers.ts"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Result } from "effect"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SandboxFile from "../src/account/SandboxFile.ts"
import * as LogLine from "../src/output/LogLine.ts"
import * as WorkerLine from "../src/worker/WorkerLine.ts"
import { blocksOf, root } from "./DocPage.ts"
import { envelope } from "./Envelope.ts"
import { folderWith } from "./RunningConnector.ts"

type Reads = (text: string, folder: string) => Effect.Effect<unknown, unknown, NodeServices.NodeServices>

const main = { baseUrl: "https://gateway.example/api", application: "shop", station: "till-1", keyFile: "main.key" }

/** Reads a configuration like the command, with the files that it names; nothing may be refused. */
const configuration: Reads = (text, folder) =>
  Effect.gen(function* () {
    const file = join(folder, "accounts.json")
    writeFileSync(file, text.replace("{ … }", JSON.stringify({ main })))
    for (const name of ["main.key", "main.secret"]) writeFileSync(join(folder, name), "planted-text", { mode: 0o600 })
    const { accounts, findings } = yield* ConfigFile.read(file, {})
    const refused = [...findings, ...accounts.flatMap((account) => account.findings)].filter(Finding.refuses)
    assert.deepStrictEqual(refused, [])
    assert.isAbove(accounts.length, 0)
  })

const ofAccount: Reads = (text, folder) =>
  configuration(`{ "accounts": { "main": { ${JSON.stringify(main).slice(1, -1)}, ${text} } } }`, folder)

/** An entry of `sources`. */
const ofSources: Reads = (text, folder) =>
  Effect.gen(function* () {
    const file = join(folder, "accounts.json")
    writeFileSync(file, `{ "accounts": { "main": ${JSON.stringify(main)} }, "sources": { ${text} } }`)
    writeFileSync(join(folder, "erp.key"), "planted-text", { mode: 0o600 })
    const { sources } = yield* ConfigFile.read(file, {})
    assert.deepStrictEqual(
      sources.map(({ findings }) => findings.filter(Finding.refuses)),
      [[]]
    )
  })

const book: Reads = (text) => BookFile.load("x.book.json", text)

const blank = { version: 1, zone: "+02:00", currencies: [{ code: "USD", device: "USD" }] }
const tax = { from: ["Standard"], code: "VAT15", device: 1, percent: "15" }

const ofTaxes: Reads = (text, folder) => book(`{ ${JSON.stringify(blank).slice(1, -1)}, "taxes": [${text}] }`, folder)

const ofBook: Reads = (text, folder) =>
  book(`{ ${JSON.stringify({ ...blank, taxes: [tax] }).slice(1, -1)}, ${text} }`, folder)

const columnMap: Reads = (text) => MapFile.load("x.columns.json", text)

const sandbox: Reads = (text, folder) => {
  writeFileSync(join(folder, "gateway.json"), text)
  return SandboxFile.load(join(folder, "gateway.json"))
}

/** Compares an alert with one made from items of attention with the same facts. */
const alert: Reads = (text) =>
  Effect.sync(() => {
    const shown = JSON.parse(text) as Alert.AlertEvent
    const items = shown.concerns.map(
      ({ text: plain, ...concern }) => ({ ...concern, plain }) as unknown as AttentionItem
    )
    for (const { code } of items) assert.property(AttentionCode.texts, code)
    const made = Alert.event(DateTime.makeUnsafe(shown.at), Alert.concernsOf(items), [
      ...shown.concerns.map(Alert.nameOf),
      ...shown.over
    ])
    assert.deepStrictEqual(shown, made)
  })

const answers: Reads = (text) =>
  Effect.sync(() => assert.isTrue(Result.isSuccess(RememberedAnswers.listed("answers.json", text))))

const answer: Reads = (text) => Effect.sync(() => envelope(text))

/** Checks that the log entry equals a worker's, to the last character. */
const logLine: Reads = (text) =>
  Effect.sync(() => {
    const { attempts, lane, time } = JSON.parse(text) as { readonly attempts: number; lane: string; time: string }
    const stop = { cause: "credentials", text: "401", retryAt: null } as const
    const { text: _, ...entry } = WorkerLine.ofEvent({
      _tag: "Left",
      report: { lane, attempts, end: { _tag: "Stopped", stop } } as unknown as LaneReport
    })
    assert.strictEqual(text, LogLine.format(entry, DateTime.makeUnsafe(time)))
  })

const readers: Readonly<Record<string, ReadonlyArray<Reads>>> = {
  "docs/adapters.md": [configuration, ofSources],
  "docs/configuration.md": [configuration, configuration, configuration, alert, ofAccount],
  "docs/embed.md": [answer],
  "docs/mapping-book.md": [book, ofTaxes, ofBook],
  "docs/run.md": [configuration, logLine],
  "docs/sandbox.md": [sandbox],
  "docs/start.md": [columnMap, answers],
  "packages/adapter-csv/README.md": [columnMap, columnMap]
}

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(root, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
  ...readdirSync(join(root, "docs/decisions")).map((name) => `docs/decisions/${name}`),
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`)
]

const jsonOf = (page: string) => blocksOf(page).filter(({ language }) => language.startsWith("json"))

describe("a block of JSON in the documentation", () => {
  it("belongs to a reader that is tested here", () =>
    assert.deepStrictEqual(
      Object.fromEntries(pages.flatMap((page) => (jsonOf(page).length === 0 ? [] : [[page, jsonOf(page).length]]))),
      Object.fromEntries(Object.entries(readers).map(([page, { length }]) => [page, length]))
    ))

  for (const [page, reads] of Object.entries(readers)) {
    for (const [at, read] of reads.entries()) {
      it.live(`is accepted unchanged by its reader: ${page}, ${at + 1}`, () =>
        Effect.gen(function* () {
          const folder = yield* folderWith()
          yield* read(jsonOf(page)[at]!.lines.join("\n"), folder)
        }).pipe(Effect.provide(NodeServices.layer))
      )
    }
  }
})
