/**
 * Accounting system for live reads, with a gateway: the example's invoices, credit notes and
 * contacts, and a configuration for both.
 */
import * as SourceServer from "@fiscal-connector/sandbox/source/SourceServer"
import * as SourceAnswers from "@fiscal-connector/sandbox/source/SourceAnswers"
import {
  type SourceConfig,
  type SourceFields,
  type SourceList,
  SourceWorld
} from "@fiscal-connector/sandbox/source/SourceWorld"
import type * as SandboxConfig from "@fiscal-connector/sandbox/SandboxConfig"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as PublishedInterface from "./PublishedInterface.ts"
import { connector, examples, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

/** Returns the records of the example. */
export const exported = (): Readonly<Record<SourceList, ReadonlyArray<SourceFields>>> =>
  JSON.parse(readFileSync(join(examples, "historical-invoices.json"), "utf8"))

/** Puts the example into the system: its records were changed in sequence, a second apart. */
export const enterExample = (world: SourceWorld, from: number): void => {
  const all = exported()
  let at = from
  for (const list of ["Contacts", "Invoices", "CreditNotes"] as const)
    for (const fields of all[list]) world.put(list, fields, { at: (at += 1000) })
}

const options = { tin: "TaxNumber", productCode: "item-code", paymentMethod: "paying-account" }

/** Setup of a test. */
export interface Setup {
  readonly source?: SourceConfig
  readonly gateway?: Partial<SandboxConfig.Input>
  /** Settings of the source in the configuration. */
  readonly settings?: Readonly<Record<string, unknown>>
}

const hour = 3_600_000

/**
 * Serves the system until the scope closes. Fails then if a request or an answer had parts that the
 * published interface does not have.
 */
export const serving = (world: SourceWorld) =>
  Effect.gen(function* () {
    const unpublished = new Set<string>()
    yield* Effect.addFinalizer(() => Effect.sync(() => assert.deepStrictEqual([...unpublished], [])))
    return yield* SourceServer.listening((question) => {
      const answer = SourceAnswers.answer(world, question)
      if (/^\/(api\.xro|connections)/.test(question.path))
        for (const problem of [
          ...PublishedInterface.problemsOf(question),
          ...PublishedInterface.differencesOf(question.path, answer)
        ])
          unpublished.add(problem)
      return answer
    })
  })

/**
 * Starts source and gateway, and returns the command for both; `folder` has the example's mapping
 * book.
 */
export const syncingIn = (folder: string, { gateway, settings, source }: Setup = {}) =>
  Effect.gen(function* () {
    const sandbox = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1, ...gateway } })
    // The limit of the real interface, 60 a minute, would stop the tests in the middle.
    const world = new SourceWorld({ perMinute: 1000, ...source })
    const server = { url: yield* serving(world), world }
    enterExample(world, world.now - 2 * hour)
    const config = JSON.parse(readFileSync(join(folder, "account.json"), "utf8")) as Record<string, unknown>
    const books = {
      kind: "xero-like",
      account: "main",
      book: "historical-invoices.book.json",
      tenant: "tenant-1",
      goLive: "2025-01-01",
      consent: "send",
      url: server.url,
      tokenUrl: `${server.url}/connect/token`,
      clientId: "client",
      tokenFile: "tokens.json",
      options,
      ...settings
    }
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
    const accounts = config["accounts"] as Readonly<Record<string, unknown>>
    /** Changes settings of the source, and adds further sources with their settings. */
    const configure = (
      more: Readonly<Record<string, unknown>>,
      others: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}
    ) => {
      const all = Object.entries({ books: more, ...others }).map(([name, own]) => [name, { ...books, ...own }] as const)
      const sources = Object.fromEntries(all)
      write("account.json", JSON.stringify({ accounts: { ...accounts, other: accounts["main"] }, sources }))
    }
    configure({})
    write("tokens.json", JSON.stringify({ refreshToken: world.config.refreshToken }))
    const run = (...args: ReadonlyArray<string>) => connector([...args, "--config", "account.json"], { cwd: folder })
    const sync = run("sync", "books")
    const report = Effect.map(run("sync", "books", "--json"), ({ code, err, out }) => {
      const [data] = lines(out)
      return { code, err, data: data ?? {} }
    })
    const receipts = Effect.map(sandbox.control.receipts, (all) =>
      all.map(({ documentNumber }) => documentNumber).toSorted()
    )
    return { folder, sandbox, server, world, run, sync, report, receipts, write, configure }
  })

/** Runs `syncingIn` in a separate folder. */
export const syncing = (setup?: Setup) =>
  Effect.flatMap(folderWith("historical-invoices.book.json"), (folder) => syncingIn(folder, setup))
