/**
 * Submission topic: documents per second, stored durably in a file, and CPU per document, against a
 * bare `fetch` loop without a store. The gateway answers after 20 ms, or immediately.
 */
import { Effect, Layer, Logger, Metric, Redacted, References, Tracer } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import * as OpenAccount from "../../packages/core/src/account/OpenAccount.ts"
import { stamp } from "../../packages/core/src/document/FiscalDocument.ts"
import * as WireCodec from "../../packages/core/src/document/WireCodec.ts"
import * as WrittenDocument from "../../packages/core/src/document/WrittenDocument.ts"
import { RequestId } from "../../packages/core/src/document/Identifiers.ts"
import * as AttemptMetrics from "../../packages/core/src/sending/AttemptMetrics.ts"
import * as Submitter from "../../packages/core/src/sending/Submitter.ts"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import * as Transmission from "../../packages/core/src/gateway/internal/SubmitCapability.ts"
import type { FiscalDevice } from "../../packages/core/src/gateway/operation/FiscalDevice.ts"
import type { GatewayProfile } from "../../packages/core/src/gateway/operation/Profile.ts"
import type { Subscription } from "../../packages/core/src/gateway/operation/Subscription.ts"
import * as UndiciHttpClient from "../../packages/core/src/node/UndiciHttpClient.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import { document, receiptDate, store } from "../data/PlannedLanes.ts"
import { here } from "../frame/Measured.ts"
import { cost, pace, type Row, type Sample, type Scale, type Topic } from "../frame/Topic.ts"

/** Starts a gateway that only adds latency, in a separate process. */
export const server = async (latency: number) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "AnsweringServer.ts"), String(latency)])
  const port = await new Promise<string>((resolve) =>
    child.stdout.once("data", (chunk) => resolve(String(chunk).trim()))
  )
  return { url: `http://127.0.0.1:${port}`, end: () => child.kill() }
}

export const bareFetch = (url: string, lanes: number, perLane: number): Promise<Sample> => {
  const body = WireCodec.encode(stamp(WrittenDocument.read(document(0, 0).document), receiptDate, "first"))
  const lane = async () => {
    for (let n = 0; n < perLane; n++) {
      const answer = await fetch(`${url}/invoice`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" }
      })
      await answer.text()
    }
  }
  return here(async () => {
    await Promise.all(Array.from({ length: lanes }, lane))
    return lanes * perLane
  })
}

/**
 * Returns the gateway with fixed answers about the lane's device, so that no request is sent for
 * them.
 */
const settled = (gateway: Gateway.GatewayOperations, lane: number) =>
  Effect.map(Transmission.of(gateway), (submit) =>
    Transmission.keep(
      {
        ...gateway,
        profile: Effect.succeed({} as GatewayProfile),
        fiscalDevice: Effect.succeed({
          deviceId: lane,
          tin: String(lane),
          serialNo: null,
          isActive: true,
          isSwitchedOn: true,
          isLive: false
        } as FiscalDevice),
        subscription: Effect.succeed({ status: "active", isDeleted: false } as Subscription),
        zReports: () => Effect.succeed({ items: [], totalItemCount: 0, page: 1, pageSize: 20, unknownFields: {} })
      },
      submit
    )
  )

/**
 * Telemetry of a run. `unasked`: no spans and log lines are created. `nobody`: the default of a job
 * without telemetry settings. `all`: every span and log line is collected, at the finest level, and
 * the metrics are read once at the end.
 */
type Watching = "unasked" | "nobody" | "all"

const watching: Readonly<Record<Watching, Layer.Layer<never>>> = {
  unasked: Layer.mergeAll(
    Layer.succeed(References.TracerEnabled)(false),
    Layer.succeed(References.MinimumLogLevel)("None"),
    Logger.layer([])
  ),
  nobody: Logger.layer([]),
  all: Layer.suspend(() => {
    const lines: Array<string> = []
    const spans: Array<Tracer.Span> = []
    return Layer.mergeAll(
      Layer.succeed(Tracer.Tracer)(
        Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            spans.push(span)
            return span
          }
        })
      ),
      Layer.succeed(References.MinimumLogLevel)("All"),
      Logger.layer([Logger.make((options) => void lines.push(Logger.formatLogFmt.log(options)))])
    )
  })
}

/** Measures only the counting of attempts. Every side counts attempts, regardless of telemetry. */
const counting = (): Promise<Sample> =>
  here(async () => {
    const accepted = {
      result: { _tag: "Accepted", requestId: RequestId.make("r") },
      stop: null,
      retryAfter: null
    } as const
    const once = AttemptMetrics.counted("test/1", Effect.succeed(accepted))
    const times = 100_000
    await Effect.runPromise(
      Effect.gen(function* () {
        for (let n = 0; n < times; n++) yield* once
      })
    )
    return times
  })

export const ours = (
  engine: ReturnType<typeof store>,
  url: string,
  lanes: number,
  perLane: number,
  watched: Watching = "nobody"
): Promise<Sample> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const own = yield* SubmissionStore
      const submitter = yield* Submitter.Submitter
      const accounts = yield* Effect.forEach(
        Array.from({ length: lanes }, (_, n) => n),
        (n) =>
          Effect.gen(function* () {
            const account = `shop${n}`
            const gateway = yield* Gateway.make({
              account,
              baseUrl: url,
              application: "bench",
              station: "1",
              apiKey: Redacted.make("key"),
              secret: Redacted.make("a secret")
            })
            yield* own.plan(Array.from({ length: perLane }, (_, i) => document(n, i)))
            return yield* OpenAccount.open({ account, gateway: yield* settled(gateway, n) })
          })
      )
      const run = Effect.runPromiseWith(yield* Effect.context())
      return yield* Effect.promise(() =>
        here(async () => {
          await run(submitter.drain(accounts))
          if (watched === "all") await run(Metric.snapshot)
          return lanes * perLane
        })
      )
    }).pipe(
      Effect.provide(
        Layer.mergeAll(Submitter.layer(), UndiciHttpClient.layer()).pipe(
          Layer.provideMerge(engine),
          Layer.provideMerge(watching[watched])
        )
      )
    )
  )

export const topic = async ({ folder }: Scale): Promise<Topic> => {
  const sides: Record<string, () => Promise<Sample>> = {}
  const rows: Array<Row> = []
  const servers: Array<Awaited<ReturnType<typeof server>>> = []
  for (const latency of [20, 0]) {
    const gateway = await server(latency)
    servers.push(gateway)
    for (const lanes of [1, 16]) {
      const perLane = latency === 0 ? Math.ceil(3000 / lanes) : 150
      const of = `${latency} ms, ${lanes} ${lanes === 1 ? "lane" : "lanes"}`
      const peer = `fetch, ${of}`
      sides[peer] = () => bareFetch(gateway.url, lanes, perLane)
      for (const thread of ["same", "own"] as const) {
        const side = `submission on ${thread} thread, ${of}`
        sides[side] = () => ours(store(folder, thread), gateway.url, lanes, perLane)
        rows.push(
          { name: `${side}, against fetch, by the clock`, ours: side, peer, figure: pace("documents") },
          { name: `${side}, against fetch`, ours: side, peer, figure: cost("document") }
        )
      }
    }
    if (latency === 0) {
      for (const watched of ["unasked", "nobody", "all"] as const)
        sides[`submission, watched by ${watched}`] = () => ours(store(folder), gateway.url, 16, 188, watched)
      for (const [side, peer] of [
        ["nobody", "unasked"],
        ["all", "nobody"]
      ] as const)
        rows.push({
          name: `submission, watched by ${side}, against ${peer}`,
          ours: `submission, watched by ${side}`,
          peer: `submission, watched by ${peer}`,
          figure: cost("document")
        })
      sides["counting attempts"] = counting
      rows.push({
        name: "submission, watched by its figures alone, as a share of one",
        ours: "counting attempts",
        peer: "submission, watched by nobody",
        figure: cost("document")
      })
    }
    await bareFetch(gateway.url, 1, 50)
    for (const thread of ["same", "own"] as const) await ours(store(folder, thread), gateway.url, 1, 50)
  }
  return {
    sides,
    rows,
    end: async () => {
      for (const { end } of servers) end()
    }
  }
}
