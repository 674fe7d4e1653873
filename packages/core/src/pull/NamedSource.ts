/**
 * A source under the caller's own name, not opened yet: input of a run for hosts that have no
 * configuration file.
 */
import type { Effect, FileSystem } from "effect"
import type { HttpClient } from "effect/http/HttpClient"
import type { LiveSource } from "../source/LiveSource.ts"
import type { LiveSourceError } from "../source/LiveSourceError.ts"

/** One company of an accounting system. Nothing is requested before `open` runs. */
export interface NamedSource<Options> {
  /**
   * Name of the source in the store and in messages. Another name begins at the first document
   * again.
   */
  readonly name: string
  readonly tenant: string
  readonly open: Effect.Effect<LiveSource<Options>, LiveSourceError, HttpClient | FileSystem.FileSystem>
}
