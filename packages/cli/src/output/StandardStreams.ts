/**
 * Write failures are reported at the end and do not interrupt the command. A reader that closes the
 * pipe (`connector list | head`) is not a failure.
 */
import { Context, Deferred, Effect } from "effect"
import type { Readable, Writable } from "node:stream"

type StreamFailure = Error & { readonly code?: string }

const hasGone = ({ code }: StreamFailure): boolean => code === "EPIPE"

export interface OutputStream {
  readonly isTerminal: boolean
  readonly columns: number | undefined
  readonly write: (text: string) => void
}

export interface StandardStreamsShape {
  readonly inputIsTerminal: boolean
  readonly output: OutputStream
  readonly error: OutputStream
  readonly closed: Effect.Effect<void>
  /**
   * Waits until everything is written and returns the first failure. Undefined if everything
   * arrived or the reader closed the output.
   */
  readonly failure: Effect.Effect<Error | void>
}

const unread: OutputStream = { isTerminal: false, columns: undefined, write: () => {} }

export class StandardStreams extends Context.Reference<StandardStreamsShape>(
  "fiscal-connector/output/StandardStreams",
  {
    defaultValue: () => ({
      inputIsTerminal: false,
      output: unread,
      error: unread,
      closed: Effect.never,
      failure: Effect.void
    })
  }
) {}

export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: WrittenStream
  readonly stderr: WrittenStream
}

type WrittenStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

const written = (stream: Writable) =>
  Effect.callback<void>((resume) => {
    // Node reports the failure of an earlier write shortly after the write
    stream.write("", () => setImmediate(() => resume(Effect.void)))
  })

const outputOf = (stream: WrittenStream): OutputStream => ({
  get isTerminal() {
    return stream.isTTY === true
  },
  get columns() {
    return stream.columns
  },
  write: (text) => void stream.write(text)
})

/** Creates the streams. Call before the first text is printed. */
export const make = (given: Streams): StandardStreamsShape => {
  const { stderr, stdout } = given
  const streams = [stdout, stderr]
  const closed = Deferred.makeUnsafe<void>()
  let first: Error | undefined
  for (const stream of streams) {
    // without a listener, the first error would end the process at an arbitrary point
    stream.on("error", (error: StreamFailure) => {
      if (!hasGone(error)) first ??= error
      else if (stream === stdout) Deferred.doneUnsafe(closed, Effect.void)
    })
  }
  return {
    get inputIsTerminal() {
      return given.stdin.isTTY === true
    },
    output: outputOf(stdout),
    error: outputOf(stderr),
    closed: Deferred.await(closed),
    failure: Effect.map(Effect.forEach(streams, written, { discard: true }), () => first)
  }
}
