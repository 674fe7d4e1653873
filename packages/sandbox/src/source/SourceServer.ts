import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { NotListening, SandboxError } from "../SandboxError.ts"
import * as SourceAnswers from "./SourceAnswers.ts"
import { type SourceConfig, SourceWorld } from "./SourceWorld.ts"

/** Running system. */
export interface SourceServer {
  readonly url: string
  readonly world: SourceWorld
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const one = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "string" ? value : value?.[0]

/** Answers a question of one system. */
export type Answering = (question: SourceAnswers.SourceQuestion) => SourceAnswers.SourceAnswer

const serve = async (answer: Answering, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, one(value)]))
  const {
    body,
    cut,
    headers: answered,
    status
  } = answer({
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers,
    body: await bodyOf(request)
  })
  if (cut) return void response.destroy()
  response.sendDate = false
  response.writeHead(status, answered)
  response.end(body)
}

/** Address of the system. */
export interface Listening {
  /** @default 127.0.0.1 */
  readonly host?: string
  /** @default 0, which takes a free port */
  readonly port?: number
}

/**
 * Starts the system; stops it when the scope closes. Fails with `NotListening` if the port is
 * taken.
 */
export const make = (
  config: SourceConfig = {},
  where: Listening = {}
): Effect.Effect<SourceServer, SandboxError, Scope.Scope> => {
  const world = new SourceWorld(config)
  return Effect.map(
    listening((question) => SourceAnswers.answer(world, question), where),
    (url) => ({ url, world })
  )
}

/** Returns the records of a list in a file; none if the value is not a list. */
export const recordsIn = <Fields extends Readonly<Record<string, unknown>>>(list: unknown): ReadonlyArray<Fields> =>
  Array.isArray(list)
    ? list.filter((fields): fields is Fields => typeof fields === "object" && fields !== null && !Array.isArray(fields))
    : []

/** Serves the answers at the port, or at a free port if the port is taken. */
export const served = (answer: Answering, port: number): Effect.Effect<string, SandboxError, Scope.Scope> =>
  Effect.catch(listening(answer, { port }), () => listening(answer))

/** Serves the answers until the scope closes; returns the address without a slash at its end. */
export const listening = (
  answer: Answering,
  { host = "127.0.0.1", port = 0 }: Listening = {}
): Effect.Effect<string, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const server = createServer((request, response) => {
      void serve(answer, request, response)
    })
    yield* Effect.acquireRelease(
      Effect.callback<void, SandboxError>((resume) => {
        server.once("error", (cause) =>
          resume(Effect.fail(new SandboxError({ reason: new NotListening({ host, port, cause }) })))
        )
        server.listen(port, host, () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    return `http://${host}:${(server.address() as AddressInfo).port}`
  })
