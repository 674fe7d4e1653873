/**
 * Runs the three hosts as their pages show them, in the test's process: the README job of the
 * promise package, the Effect example and the command.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { adapter as csv } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { Cause, Console, Effect, Exit, Layer, Logger } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { job, shopIn } from "../../examples/embed-in-a-job.ts"
import { connector, lines } from "../../packages/cli/test/RunningConnector.ts"
import { connect, type SyncReport } from "../../packages/promise/src/index.ts"

/** Report of one run of a host. */
export interface Report {
  readonly exit: "success" | "failure"
  /**
   * State of each document, in lower case, by number; empty if the run ended before any document
   * was examined.
   */
  readonly documents: ReadonlyMap<string, string>
  /** Numbers of the documents that the source changed or canceled after sending. */
  readonly differing: ReadonlySet<string>
  /** `some` if the host reported rows that did not become a document. */
  readonly strays: "none" | "some"
  /** Complete output, shown if the proof fails. */
  readonly printed: string
}

/** Folder and input of a run. */
export interface World {
  readonly folder: string
  readonly sales: string
  readonly book: string
}

export interface Host {
  readonly name: "promise" | "effect" | "command"
  /** Name of the store's file in the folder. */
  readonly store: string
  run(world: World): Effect.Effect<Report>
}

type SyncGiven = Parameters<Awaited<ReturnType<typeof connect>>["sync"]>

const page = readFileSync(join(import.meta.dirname, "../../packages/promise/README.md"), "utf8")
const readme = Array.from(page.matchAll(/```ts\n([^]*?)```/g), ([, text]) => text!).find((text) =>
  text.includes("openInvoices")
)!

type Job = (
  connecting: typeof connect,
  openInvoices: () => unknown,
  save: () => void,
  console: { error(...words: ReadonlyArray<unknown>): void },
  process: { exitCode: number }
) => Promise<void>

const AsyncFunction = (async () => {}).constructor as new (...parts: ReadonlyArray<string>) => Job
const names = ["connect", "openInvoices", "save", "console", "process"]
const readmeJob = new AsyncFunction(...names, readme.replaceAll(/^import .*$/gm, ""))

/**
 * Runs the job exactly as printed in the README, with files of the folder. Records the result that
 * `sync` returned to the job.
 */
const promise: Host = {
  name: "promise",
  store: "shop.db",
  run: ({ folder, sales }) =>
    Effect.promise(async () => {
      const documents = new Map<string, string>()
      const differing = new Set<string>()
      const said: Array<string> = []
      const process = { exitCode: 0 }
      let strays: Report["strays"] = "none"
      const look = ({ problems, results }: SyncReport) => {
        for (const { cancelled, changed, number, status } of results) {
          if (status !== "duplicate") documents.set(number, status)
          if (cancelled !== null || changed !== null) differing.add(number)
        }
        if (problems.some(({ severity }) => severity === "error")) strays = "some"
      }
      const connecting = async (options: Parameters<typeof connect>[0]) => {
        const fiscal = await connect({
          ...options,
          config: join(folder, String(options.config)),
          book: join(folder, String(options.book)),
          store: { sqlite: join(folder, "shop.db") }
        })
        const sync = async (...given: SyncGiven) => {
          const report = await fiscal.sync(...given)
          look(report)
          return report
        }
        return { ...fiscal, sync } as typeof fiscal
      }
      const input = () => ({ adapter: csv, files: [{ name: "sales.csv", bytes: new TextEncoder().encode(sales) }] })
      const console = { error: (...words: ReadonlyArray<unknown>) => void said.push(words.map(String).join(" ")) }
      try {
        await readmeJob(connecting, input, () => {}, console, process)
      } catch (error) {
        // Node would end with 1.
        process.exitCode = 1
        said.push(String(error))
      }
      const exit = process.exitCode === 0 ? "success" : "failure"
      return { exit, documents, differing, strays, printed: said.join("\n") }
    })
}

const effect: Host = {
  name: "effect",
  store: "submissions.db",
  run: ({ book, folder, sales }) =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const log = (...words: ReadonlyArray<unknown>) => void said.push(words.map(String).join(" "))
      writeFileSync(join(folder, "shop.book.json"), book)
      const exit = yield* job(sales).pipe(
        Effect.provide(Layer.fresh(shopIn(folder))),
        Effect.provide([NodeServices.layer, Logger.layer([])]),
        Effect.provideService(Console.Console, { ...globalThis.console, log }),
        Effect.exit
      )
      const found = said.flatMap((line) => [...line.matchAll(/^(\S+) (?:is (\w+)|(refused))(.*)$/g)])
      const strays = said.filter((line) => /^[A-Z_]+: /.test(line))
      const cancelled = strays.flatMap((line) => [...line.matchAll(/^CANCELLED_\w+: (\S+) is (\w+)/g)])
      return {
        exit: Exit.isSuccess(exit) && exit.value ? "success" : "failure",
        documents: new Map([
          ...found.map(([, number, state, refused]) => [number!, (state ?? refused!).toLowerCase()] as const),
          ...cancelled.map(([, number, state]) => [number!, state!.toLowerCase()] as const)
        ]),
        differing: new Set([
          ...found.filter(([line]) => line.includes("DIFFERS_FROM_SENT")).map(([, number]) => number!),
          ...cancelled.map(([, number]) => number!)
        ]),
        strays: strays.length > cancelled.length ? "some" : "none",
        printed: [...said, Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""].join("\n")
      }
    })
}

interface Row {
  readonly number: string
  readonly state: string
  readonly findings: ReadonlyArray<{ readonly code: string }>
}

interface Stray {
  readonly code: string
  readonly severity: string
  readonly detail?: string
}

/** Reads the report from the JSON lines and the exit code of the command. */
export const ofCommand = ({ code, err, out }: Effect.Success<ReturnType<typeof connector>>): Report => {
  const all = lines(out)
  const rows = all.filter((line) => "findings" in line) as ReadonlyArray<object> as ReadonlyArray<Row>
  const strays = all.flatMap((line) => (line["strays"] ?? []) as ReadonlyArray<Stray>)
  const cancelled = strays
    .filter(({ code }) => code.startsWith("CANCELLED_"))
    .flatMap(({ detail = "" }) => [...detail.matchAll(/^(\S+) is (\w+)/g)])
  return {
    exit: code === 0 ? "success" : "failure",
    documents: new Map([
      ...rows.map(({ number, state }) => [number, state.toLowerCase()] as const),
      ...cancelled.map(([, number, state]) => [number!, state!.toLowerCase()] as const)
    ]),
    differing: new Set([
      ...rows
        .filter(({ findings }) => findings.some(({ code }) => code === "DIFFERS_FROM_SENT"))
        .map((row) => row.number),
      ...cancelled.map(([, number]) => number!)
    ]),
    strays: strays.some(({ severity }) => severity === "error") ? "some" : "none",
    printed: `${out}\n${err}`
  }
}

export const importing = [
  "import",
  "csv",
  "sales.csv",
  "--book",
  "shop.book.json",
  "--config",
  "accounts.json",
  "--send-rest",
  "--json"
] as ReadonlyArray<string>

const command: Host = {
  name: "command",
  store: "fiscal-connector.db",
  run: ({ folder }) => Effect.map(connector(importing, { cwd: folder }), ofCommand)
}

export const hosts: ReadonlyArray<Host> = [promise, effect, command]
