/**
 * Proves that `connector serve` answers signed deliveries while slow clients hold 600 connections.
 * The gateway waits 5 s for an answer (HOOK-4). Clients that come back take the time of the machine
 * as well, so with them the limit is a count: an answer comes before each has come back 40 times.
 */
import { signForTest } from "../../packages/testing/src/SignForTest.ts"
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect, Redacted } from "effect"
import { request } from "node:http"
import { connect, type Socket } from "node:net"
import { folderWith, gatewayFor, secret } from "../../packages/cli/test/RunningConnector.ts"
import { serving } from "../../packages/cli/test/ServingConnector.ts"
import { given } from "../Given.ts"

const { count } = given("slow-clients")

const connections = 600

/**
 * Limit in milliseconds. On an idle machine, a delivery takes 2 to 10 ms without slow clients, and
 * up to 40 ms with clients that stay. The server itself ends such clients after 5 s.
 */
const longestMillis = (calibrated: number) => Math.max(4000, 100 * calibrated)

/** Limit of returns during one delivery; 4 for each client on an idle machine. */
const mostReturns = 40 * connections

interface Answered {
  readonly status: number
  readonly milliseconds: number
  /** Returns of slow clients between the delivery and its answer. */
  readonly returns: number
}

/** Sends a signed delivery on a separate connection; status 0 means no answer. */
const deliver = (url: string, returned: () => number) =>
  Effect.callback<Answered>((resume) => {
    const { body, headers } = signForTest("[]", { secrets: [Redacted.make(secret)] })
    const [from, before] = [performance.now(), returned()]
    const end = (status: number) =>
      resume(Effect.succeed({ status, milliseconds: performance.now() - from, returns: returned() - before }))
    const sent = request(url, { method: "POST", headers: { ...headers }, agent: false }, (response) => {
      response.resume()
      response.on("end", () => end(response.statusCode ?? 0))
    })
    sent.on("error", () => end(0))
    sent.end(body)
  })

const deliveries = (url: string, returned = () => 0) =>
  Effect.forEach(Array.from({ length: 20 }), () => deliver(url, returned), { concurrency: 4 })

const longest = (answers: ReadonlyArray<Answered>): number =>
  Math.max(...answers.map(({ milliseconds }) => milliseconds))

/** Slow client: first bytes, address, and reaction to the end of the connection. */
interface Attack {
  readonly title: string
  readonly first: (n: number) => string
  readonly from: (n: number) => string
  readonly returns: "never" | "at once"
}

const head = "POST /webhooks/main HTTP/1.1\r\nHost: localhost\r\n"
const body = `${head}Content-Length: 1000\r\n\r\na`
const oneAddress = () => "127.0.0.1"

const attacks = (
  [
    { title: "never end their headers", first: () => head, from: oneAddress, returns: "never" },
    { title: "come back whenever they are ended", first: () => body, from: oneAddress, returns: "at once" },
    { title: "never end their body", first: () => body, from: oneAddress, returns: "never" },
    { title: "say nothing at all", first: () => "", from: oneAddress, returns: "never" },
    {
      title: "come from 50 addresses, with headers or a body without an end",
      first: (n) => (n % 2 === 0 ? head : body),
      from: (n) => `127.0.1.${(n % 50) + 1}`,
      returns: "at once"
    }
  ] satisfies ReadonlyArray<Attack>
).slice(0, count)

/** Opens the connections, until the scope closes; counts their returns. */
const attacked = (url: string, { first, from, returns }: Attack) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly end: () => void; readonly returned: () => number }>((resume) => {
      const { port } = new URL(url)
      const sockets = new Set<Socket>()
      let [opened, isOver] = [0, false]
      const open = (n: number) => {
        const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: from(n) }, () => {
          socket.write(first(n))
          if (++opened === connections) resume(Effect.succeed({ end, returned: () => opened - connections }))
        })
        sockets.add(socket)
        socket.on("error", () => undefined)
        socket.on("close", () => {
          sockets.delete(socket)
          // Reconnecting immediately after a rejection would only measure this process.
          if (!isOver && returns === "at once") setTimeout(() => isOver || open(n), 50)
        })
      }
      const end = () => {
        isOver = true
        for (const socket of sockets) socket.destroy()
      }
      for (let n = 0; n < connections; n++) open(n)
    }),
    ({ end }) => Effect.sync(end)
  )

describe("a request that takes too long", () => {
  it.live("is closed within seconds, not after half a minute", function* () {
    const folder = yield* folderWith()
    yield* gatewayFor(folder)
    const { hook } = yield* serving(folder)
    const from = performance.now()
    const socket = connect(Number(new URL(hook).port), "127.0.0.1", () => void socket.write(head))
    yield* Effect.callback<void>((resume) => void socket.resume().once("close", () => resume(Effect.void)))
    // The limit is 5 s for the headers, checked every second; Node's own interval is 30 s.
    assert.isBelow(performance.now() - from, 29_000)
  })
})

describe.each(attacks.map((attack) => [attack.title, attack] as const))(
  `${connections} clients that %s`,
  (_, attack) => {
    it.live("do not block a signed delivery", function* () {
      const folder = yield* folderWith()
      yield* gatewayFor(folder)
      const { hook } = yield* serving(folder)
      yield* deliveries(hook)
      const calibrated = longest(yield* deliveries(hook))
      const { returned } = yield* attacked(hook, attack)
      const answers = yield* deliveries(hook, returned)
      const returns = Math.max(...answers.map(({ returns }) => returns))
      console.log(
        `${attack.title}: longest ${longest(answers).toFixed(0)} ms, without them ${calibrated.toFixed(0)} ms, ` +
          `most returns ${returns}`
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      if (attack.returns === "never") assert.isBelow(longest(answers), longestMillis(calibrated))
      assert.isBelow(returns, mostReturns)
    })
  }
)
