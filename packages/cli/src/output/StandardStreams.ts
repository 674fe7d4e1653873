/**
 * Standard output and error: what cannot be written there is known at the end, and stops nothing on the way. That the reader has gone
 * (`connector list | head`) is no failure.
 */
import { Context, Deferred, Effect } from "effect"
import type { Readable, Writable } from "node:stream"

type Failure = Error & { readonly code?: string }

const hasGone = ({ code }: Failure): boolean => code === "EPIPE"

/** A stream that people may look at. */
export interface OutputStream {
  readonly isTerminal: boolean
  /** Width of the terminal in columns; undefined where there is none. */
  readonly columns: number | undefined
  readonly write: (text: string) => void
}

export interface StandardStreamsShape {
  /** Whether an operator types the input. */
  readonly inputIsTerminal: boolean
  readonly output: OutputStream
  readonly error: OutputStream
  /** Ends when nobody reads the output any more. */
  readonly closed: Effect.Effect<void>
  /** Waits until everything is written, and answers with what went wrong first; undefined where all of it arrived, or nobody wanted it. */
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

/** The three streams, as Node has them. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Written
  readonly stderr: Written
}

type Written = Writable & { readonly isTTY?: boolean; readonly columns?: number }

const written = (stream: Writable) =>
  Effect.callback<void>((resume) => {
    // what went wrong with an earlier write is told a moment after it
    stream.write("", () => setImmediate(() => resume(Effect.void)))
  })

const outputOf = (stream: Written): OutputStream => ({
  get isTerminal() {
    return stream.isTTY === true
  },
  get columns() {
    return stream.columns
  },
  write: (text) => void stream.write(text)
})

/** Must be made before the first line is printed. */
export const make = (given: Streams): StandardStreamsShape => {
  const { stderr, stdout } = given
  const streams = [stdout, stderr]
  const closed = Deferred.makeUnsafe<void>()
  let first: Error | undefined
  for (const stream of streams) {
    // a listener of our own: without one the process ends in the middle of whatever it does
    stream.on("error", (error: Failure) => {
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
