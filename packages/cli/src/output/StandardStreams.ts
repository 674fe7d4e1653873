/**
 * Standard output and error: what cannot be written there is known at the end, and stops nothing on the way. That the reader has gone
 * (`connector list | head`) is no failure.
 */
import { Context, Deferred, Effect } from "effect"

type Failure = Error & { readonly code?: string }

const hasGone = ({ code }: Failure): boolean => code === "EPIPE"

export interface StandardStreamsShape {
  /** Ends when nobody reads the output any more. */
  readonly closed: Effect.Effect<void>
  /** Waits until everything is written, and answers with what went wrong first; undefined where all of it arrived, or nobody wanted it. */
  readonly failure: Effect.Effect<Error | void>
}

export class StandardStreams extends Context.Reference<StandardStreamsShape>(
  "fiscal-connector/output/StandardStreams",
  {
    defaultValue: () => ({ closed: Effect.never, failure: Effect.void })
  }
) {}

const written = (stream: NodeJS.WriteStream) =>
  Effect.callback<void>((resume) => {
    // what went wrong with an earlier write is told a moment after it
    stream.write("", () => setImmediate(() => resume(Effect.void)))
  })

/** Those of this process. Must be made before the first line is printed. */
export const make = (streams: ReadonlyArray<NodeJS.WriteStream>): StandardStreamsShape => {
  const closed = Deferred.makeUnsafe<void>()
  let first: Error | undefined
  for (const stream of streams) {
    // a listener of our own: without one the process ends in the middle of whatever it does
    stream.on("error", (error: Failure) => {
      if (!hasGone(error)) first ??= error
      else if (stream === streams[0]) Deferred.doneUnsafe(closed, Effect.void)
    })
  }
  return {
    closed: Deferred.await(closed),
    failure: Effect.map(Effect.forEach(streams, written, { discard: true }), () => first)
  }
}
