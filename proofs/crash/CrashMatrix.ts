/**
 * Kills a real process at one point, restarts it until nothing is left to do, and compares its
 * store with the sandbox.
 */
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import * as SandboxConfig from "@fiscal-connector/sandbox/SandboxConfig"
import { Clock, Effect, Layer, Option } from "effect"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { RequestId } from "../../packages/core/src/document/Identifiers.ts"
import * as StoreOpening from "../../packages/core/src/node/StoreOpening.ts"
import type { Submission } from "../../packages/core/src/submission/Submission.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import type { Behavior, CrashPoint, Extent, Orders, Place, Thread } from "./CrashPoint.ts"
import { placeOf } from "./CrashPlace.ts"
import { faulted, ids } from "./Documents.ts"

export interface Verdict {
  readonly point: CrashPoint
  /** True if the process reached the point of its kill. */
  readonly killed: boolean
  /** Extent of the run if not killed. */
  readonly extent: Extent | null
  /** Problems, in words; empty without problems. */
  readonly problems: ReadonlyArray<string>
  /** Number of Unknown documents that an operator had to settle. */
  readonly unknown: number
}

const faultOf = (behavior: Behavior) => {
  const struck = { documents: [faulted], times: 1, operations: ["submitInvoice"] as const }
  switch (behavior) {
    case "accepted":
      return []
    case "rejected":
      return [{ kind: "reject", documents: [faulted] } as const]
    case "dropped-before":
      return [{ kind: "drop", stage: "before", ...struck } as const]
    case "dropped-after":
      return [{ kind: "drop", stage: "after", ...struck } as const]
    case "slow":
      return [{ kind: "latency", millis: 400, stage: "after", ...struck } as const]
  }
}

const sandboxFor = ({ behavior, policy, site }: CrashPoint) => {
  const isRetry = policy === "hold" ? "ignored" : policy === "resend-same-id" ? "same-id" : "new-id"
  // Every answer is delayed a little, so that the process can be killed while its request is at the
  // gateway.
  const held = { kind: "latency", millis: 120, stage: "after", times: 1, skip: site.n - 1 } as const
  const operations = site.of === "status" ? (["status"] as const) : (["submitInvoice", "submitCreditNote"] as const)
  return Sandbox.make({
    isRetry,
    processingDelayMillis: 10,
    accounts: [
      {
        ...SandboxConfig.defaultAccount,
        taxMappings: [{ taxCode: "EXEMPT", destinationTaxId: 3 }],
        currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
      }
    ],
    faults: [
      ...faultOf(behavior),
      ...(site.of !== "commit" && site.when === "in-flight" ? [{ ...held, operations }] : [])
    ]
  })
}

interface Ended {
  readonly signal: string | null
  readonly extent: Extent | null
  readonly errors: string
}

/** Shared compile cache: compiling for every victim would take a third of the matrix's time. */
const NODE_COMPILE_CACHE =
  process.env["NODE_COMPILE_CACHE"] ?? join(import.meta.dirname, "../../node_modules/.cache/compiled")

/** Module loaded on every thread of a victim. */
const watching = new URL("CommitWatch.ts", import.meta.url).href

const run = (orders: Orders): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const child = spawn(process.execPath, ["--import", watching, join(import.meta.dirname, "Victim.ts")], {
      env: { NODE_COMPILE_CACHE, PATH: process.env["PATH"], CRASH_ORDERS: JSON.stringify(orders) },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let out = ""
    let errors = ""
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stderr.on("data", (chunk) => (errors += chunk))
    child.on("close", (code, signal) =>
      resume(Effect.succeed({ signal, extent: code === 0 ? (JSON.parse(out) as Extent) : null, errors }))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const inStore = <A>(place: Place, use: (store: SubmissionStore["Service"]) => Effect.Effect<A, unknown>) =>
  SubmissionStore.use(use).pipe(Effect.provide(Layer.fresh(StoreOpening.layer(placeOf(place)))), Effect.orDie)

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "fiscal-crash-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)

type Accepted = ReadonlyMap<
  string,
  { readonly accepted: number; readonly receipts: number; readonly requestIds: ReadonlyArray<string> }
>

/**
 * Laws that hold at every time: nothing sent twice, nothing lost, and a stated reason for every
 * open document.
 */
const standing = (
  point: CrashPoint,
  submissions: ReadonlyArray<Submission>,
  accepted: Accepted,
  colors: ReadonlyArray<string>
) => {
  const problems: Array<string> = []
  const open = submissions.some(({ state }) => state === "Unknown")
  for (const id of ids) {
    const submission = submissions.find((one) => one.id === id)
    const { accepted: times = 0, receipts = 0 } = accepted.get(id) ?? {}
    if (submission === undefined) {
      problems.push(`${id} is lost`)
      continue
    }
    const { hold, state, text } = submission
    // A gateway that de-duplicates processes a rejected document again: the first time did not give
    // a receipt.
    const twice = point.policy === "hold" || receipts > 0 ? times > 1 : false
    if (twice || receipts > 1) problems.push(`${id} was accepted ${times} times, with ${receipts} receipts`)
    if (state === "Fiscalised" && receipts !== 1) problems.push(`${id} is called Fiscalised with ${receipts} receipts`)
    const known = state === "Fiscalised" || state === "Rejected" || state === "Unknown"
    if (times > 0 && !known) problems.push(`${id} was accepted, and the store says ${state}`)
    if (times === 0 && known && state !== "Unknown")
      problems.push(`${id} was not accepted, and the store says ${state}`)
    if (!known && !open) problems.push(`${id} is ${state} although nothing is Unknown`)
    if (state === "Unknown" && text === null) problems.push(`${id} is Unknown and does not say why`)
    if (state === "Held" && hold === null) problems.push(`${id} is Held and does not say why`)
  }
  return [...problems, ...colors.map((color) => `a receipt is colored: ${color}`)]
}

const settledProblems = (point: CrashPoint, submissions: ReadonlyArray<Submission>, accepted: Accepted) =>
  submissions.flatMap(({ id, state }) => {
    const isRejected = point.behavior === "rejected" && id === faulted
    const { accepted: times = 0, receipts = 0 } = accepted.get(id) ?? {}
    const once =
      receipts === (isRejected ? 0 : 1) && (times === 1 || (isRejected && point.policy !== "hold" && times > 0))
    return state === (isRejected ? "Rejected" : "Fiscalised") && once
      ? []
      : [`in the end ${id} is ${state}, accepted ${times} times, with ${receipts} receipts`]
  })

/** Storage of a victim: a file with its writing thread, or the PostgreSQL at an address. */
export type Keeper = { readonly thread: Thread } | { readonly server: string }

/** Runs one point of the matrix. */
export const strike = (point: CrashPoint, keeper: Keeper = { thread: "same" }): Effect.Effect<Verdict> =>
  Effect.gen(function* () {
    const place: Place =
      "thread" in keeper
        ? { engine: "sqlite", filename: join(yield* temporary, "store.db"), thread: keeper.thread }
        : { engine: "postgres", url: keeper.server, schema: `crash_${randomBytes(6).toString("hex")}` }
    const sandbox = yield* sandboxFor(point)
    const { control } = sandbox
    const firstSecond = Math.floor((yield* Clock.currentTimeMillis) / 1000) - 3600
    const orders: Orders = { place, url: sandbox.url, policy: point.policy, firstSecond, site: point.site }
    const problems: Array<string> = []

    const first = yield* run(orders)
    const killed = first.signal === "SIGKILL"
    if (!killed && first.extent === null) problems.push(`it broke: ${first.errors}`)
    const again = Effect.gen(function* () {
      const ended = yield* run({ ...orders, site: null })
      if (ended.extent === null) problems.push(`it did not come to rest: ${ended.errors}`)
      const accepted: Accepted = new Map((yield* control.accepted).map((document) => [document.id, document]))
      const submissions = yield* inStore(place, (store) => store.list({}))
      const colored = yield* control.coloured
      const colors = colored.flatMap(({ documentId, marks }) => marks.map(({ code }) => `${documentId} ${code}`))
      problems.push(...standing(point, submissions, accepted, colors))
      return { submissions, accepted }
    })
    let { accepted, submissions } = yield* again
    let unknown = 0
    for (let turn = 0; turn < ids.length && submissions.some(({ state }) => state === "Unknown"); turn++) {
      if (point.policy !== "hold") problems.push("something is Unknown although the gateway de-duplicates")
      for (const { account, id, kind } of submissions.filter(({ state }) => state === "Unknown")) {
        unknown++
        const requestId = Option.fromNullishOr(accepted.get(id)?.requestIds[0])
        const decision = Option.match(requestId, {
          onNone: () => ({ _tag: "NotProcessed" }) as const,
          onSome: (requestId) => ({ _tag: "Accepted", requestId: RequestId.make(requestId) }) as const
        })
        yield* inStore(place, (store) =>
          store.decide({ account, kind, id }, decision, "the sandbox's own record", "recent")
        )
      }
      ;({ accepted, submissions } = yield* again)
    }
    problems.push(...settledProblems(point, submissions, accepted))
    return { point, killed, extent: first.extent, problems: [...new Set(problems)], unknown }
  }).pipe(Effect.scoped, Effect.orDie)
