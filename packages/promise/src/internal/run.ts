/** Failures become FiscalConnectorError; an abort rejects with the signal's reason. */
import { Cause, Effect, Exit, type ManagedRuntime, Result, Stream } from "effect"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import { type Failure, internal, thrownOf } from "./errorOf.ts"

const closed = () =>
  new FiscalConnectorError(
    "closed",
    "the connector was closed during the call (with `await using`, write `return await`). Sent documents are recorded; the next run continues."
  )

const ended = new WeakSet<object>()

/** Stops work in progress, and rejects all later calls. */
export const close = <R, ER>(runtime: ManagedRuntime.ManagedRuntime<R, ER>): Promise<void> => {
  ended.add(runtime)
  return runtime.dispose()
}

/**
 * Runs an effect. On interruption, a request in progress is finished and recorded before the
 * promise rejects.
 */
export const run = async <A, E extends Failure, R, ER extends Failure>(
  runtime: ManagedRuntime.ManagedRuntime<R, ER>,
  effect: Effect.Effect<A, E, R>,
  ...signals: ReadonlyArray<AbortSignal | undefined>
): Promise<A> => {
  const given = signals.filter((signal) => signal !== undefined)
  const signal = given.length === 0 ? undefined : AbortSignal.any(given)
  signal?.throwIfAborted()
  if (ended.has(runtime)) throw new FiscalConnectorError("closed", "the connector has been closed: connect again")
  const exit = await runtime.runPromiseExit(effect, signal && { signal })
  if (Exit.isSuccess(exit)) return exit.value
  const failure = Cause.findError(exit.cause)
  if (Result.isSuccess(failure)) throw thrownOf(failure.success)
  signal?.throwIfAborted()
  if (Cause.hasInterruptsOnly(exit.cause)) throw closed()
  const defect = Cause.squash(exit.cause)
  throw defect instanceof FiscalConnectorError ? defect : internal(defect)
}

/** Returns `run` for one connection. A call ends by the connection's signal or its own. */
export const asking =
  <R, ER extends Failure>(runtime: ManagedRuntime.ManagedRuntime<R, ER>, signal?: AbortSignal) =>
  <A, E extends Failure>(effect: Effect.Effect<A, E, R>, ofCall?: AbortSignal): Promise<A> =>
    run(runtime, effect, signal, ofCall)

/** Iterates over a stream on demand. Stops the stream when the reader stops. */
export async function* pull<A, E extends Failure, R, ER extends Failure>(
  runtime: ManagedRuntime.ManagedRuntime<R, ER>,
  stream: Stream.Stream<A, E, R>,
  ...signals: ReadonlyArray<AbortSignal | undefined>
): AsyncGenerator<A, void> {
  const given = signals.filter((signal) => signal !== undefined)
  const pages = Stream.toAsyncIterableWith(
    Stream.catch(stream, (failure) => Stream.die(thrownOf(failure))),
    await run(runtime, Effect.context<R>(), ...signals)
  )
  for await (const element of pages) {
    for (const signal of given) signal.throwIfAborted()
    yield element
  }
}
