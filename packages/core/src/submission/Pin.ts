/** Which device an account feeds, and what moving it to another comes to. */
import type { Environment } from "./PlannedDocument.ts"

/** What several processes and a host agree on about an account: which device it feeds, and whose numbers it uses. */
export interface Pin {
  readonly account: string
  readonly lane: string
  readonly taxpayer: string
  readonly environment: Environment
  /** The device's serial number; null or left out where the gateway does not name it. */
  readonly serial?: string | null
  /** The zone in which date-times without an offset are read (TIME-1): the mapping book's, as an offset or an IANA name. */
  readonly zone?: string | null
  /** Scheme, host and port of the gateway that the account's key is used for; null or left out for one on this machine. */
  readonly origin?: string | null
  /** After how many seconds of waiting without a worker the account's documents need attention; null or left out for the default. */
  readonly unworkedAfterSeconds?: number | null
}

/** What moving an account to another device came to. */
export type Repinning =
  /** How many documents were moved, and how many of these have another receipt date now. */
  | { readonly _tag: "Repinned"; readonly moved: number; readonly redated: number }
  /**
   * `in-flight`: something of it is Sending, Accepted or Unknown, or was tried and waits to be tried again. `other-taxpayer`: the new device's
   * TIN is another. `other-environment`: a sandbox's documents do not go to a live device. `because` says it in words.
   */
  | {
      readonly _tag: "Refused"
      readonly reason: "in-flight" | "other-taxpayer" | "other-environment"
      readonly because: string
    }
