/**
 * Shop whose gateway answers through a proxy. The proxy knows the document of each request id, and
 * alters what `/status` says about it. Commands are real processes (`connectorProcess`), unless the
 * caller gives another way to run them.
 */
import { Effect, Fiber } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RecordingProxy from "../../packages/cli/test/RecordingProxy.ts"
import {
  connectorProcess,
  type Ended,
  folderWith,
  gatewayFor,
  lines,
  type ProcessOptions,
  type SignaledProcess
} from "../../packages/cli/test/RunningConnector.ts"
import { book } from "../../packages/cli/test/SalesExport.ts"
import type { OwnServer } from "../../packages/core/test/postgres/OwnServer.ts"
import { ageStore } from "../actions/FaultScenarios.ts"

/** Item of the status answer, as the wire has it. */
export type Item = Readonly<Record<string, unknown>> & { readonly RequestId: string }

/** Request for a document. `nth`: counts the requests of the document from 1. */
export interface Sent {
  readonly number: string
  readonly nth: number
}

export interface Alterations {
  /** Returns the item that the client receives instead. */
  readonly item?: (item: Item, sent: Sent) => Item
  /** Cuts the connection before the answer to a submission. */
  readonly cuts?: (sent: Sent) => boolean
  /** Called after each submission that the gateway answered. */
  readonly answered?: (count: number) => void
}

type Gateway = NonNullable<Parameters<typeof gatewayFor>[1]>

/** Switches the device off at once, from within an answer. */
export const switchOff = ({ control }: Effect.Success<ReturnType<typeof gatewayFor>>): void =>
  Effect.runSync(control.changeDevice({ isSwitchedOn: false }))

/** Runs a command; `started` is called with its process. */
export type Way = (
  args: ReadonlyArray<string>,
  options: Pick<ProcessOptions, "cwd" | "env" | "started">
) => Effect.Effect<Ended>

/** Starts the gateway, the proxy and a folder with both configured. */
export const shop = Effect.fnUntraced(function* (
  alterations: Alterations,
  gateway: Gateway = {},
  { store, way = connectorProcess }: { readonly store?: OwnServer; readonly way?: Way } = {}
) {
  const cwd = yield* folderWith(book)
  const sandbox = yield* gatewayFor(cwd, { ...gateway, gateway: { processingDelayMillis: 1, ...gateway.gateway } })
  const known = new Map<string, Sent>()
  const requests: Array<string> = []
  let asked = 0
  const proxy = yield* RecordingProxy.before(sandbox.url, ({ answer, body, status, url }) => {
    if (/\/(?:invoice|creditnote)$/.test(url.pathname)) {
      const stated = JSON.parse(body) as { readonly CreditNoteNumber?: string; readonly InvoiceNumber?: string }
      const number = stated.CreditNoteNumber ?? stated.InvoiceNumber ?? ""
      requests.push(number)
      const sent = { number, nth: requests.filter((one) => one === number).length }
      if (status === 200) known.set(answer, sent)
      alterations.answered?.(requests.length)
      if (alterations.cuts?.(sent) === true) return "cut"
    }
    if (url.pathname.endsWith("/status") && status === 200) {
      asked++
      const items = (JSON.parse(answer) as ReadonlyArray<Item>).map((item) => {
        const sent = known.get(item.RequestId)
        return sent === undefined ? item : (alterations.item?.(item, sent) ?? item)
      })
      return { status, answer: JSON.stringify(items) }
    }
    return { status, answer }
  })
  const file = join(cwd, "account.json")
  const { accounts } = JSON.parse(readFileSync(file, "utf8")) as { readonly accounts: Record<string, object> }
  const main = { ...accounts["main"], baseUrl: proxy.url, timeouts: { write: "5 seconds" } }
  const tills = (gateway.accounts ?? []).map(({ key }) => {
    writeFileSync(join(cwd, "key2"), key, { mode: 0o600 })
    return ["till", { ...main, keyFile: "key2" }] as const
  })
  const address = store === undefined ? {} : { store: store.url.replace(`:${store.password}@`, "@") }
  writeFileSync(file, JSON.stringify({ accounts: { main, ...Object.fromEntries(tills) }, ...address }))
  const start = (args: ReadonlyArray<string>, started?: (child: SignaledProcess) => void) =>
    way(args.includes("--config") ? args : [...args, "--config", "account.json"], {
      cwd,
      ...(store !== undefined && { env: { FISCAL_CONNECTOR_STORE_PASSWORD: store.password } }),
      ...(started !== undefined && { started })
    })
  const run = (...args: ReadonlyArray<string>) => start(args)
  const importing = (name: string, text: string): ReadonlyArray<string> => {
    writeFileSync(join(cwd, name), text)
    return ["import", "csv", name, "--book", book]
  }
  /** Runs the command, and ends it by Ctrl-C once it has asked for outcomes so many times. */
  const untilAsked = (times: number, args: ReadonlyArray<string>): Effect.Effect<Ended> =>
    Effect.gen(function* () {
      let child: SignaledProcess | undefined
      const before = asked
      const running = yield* Effect.forkChild(start(args, (handle) => void (child = handle)))
      const often = Effect.repeat(
        Effect.delay(
          Effect.sync(() => asked - before),
          "50 millis"
        ),
        { until: (count) => count >= times }
      )
      yield* Effect.raceFirst(Fiber.await(running), often)
      child?.interrupt()
      return yield* Fiber.join(running)
    })
  return {
    cwd,
    sandbox,
    run,
    importing,
    untilAsked,
    /** Moves every time in the store into the past. */
    age: (millis: number) => ageStore(join(cwd, "fiscal-connector.db"), millis),
    /** Counts the receipts of each document at the gateway. */
    receipts: Effect.map(sandbox.control.accepted, (all) =>
      Object.fromEntries(all.map(({ number, receipts }) => [number, receipts]))
    ),
    /** Counts the documents of each number and state in the store. */
    states: Effect.map(run("list", "--json"), ({ out }) =>
      Object.fromEntries(lines(out).map(({ number, state }) => [String(number), String(state)]))
    )
  }
})
