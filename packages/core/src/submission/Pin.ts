/** The device of an account, and the result of moving the account to another device. */
import type { Environment } from "./PlannedDocument.ts"
import type { Option } from "effect"
import type { StoreEffect } from "./ledger/StoreError.ts"

/** Facts of an account that all processes agree on: its device, and the taxpayer's numbers. */
export interface Pin {
  readonly account: string
  readonly lane: string
  readonly taxpayer: string
  readonly environment: Environment
  /** Serial number of the device. Null or absent if the gateway does not name a serial number. */
  readonly serial?: string | null
  /**
   * Zone of date-times without an offset (TIME-1), from the mapping book: an offset or an IANA
   * name.
   */
  readonly zone?: string | null
  /**
   * Scheme, host and port of the gateway that may receive the account's key. Null or absent for a
   * gateway on this machine.
   */
  readonly origin?: string | null
  /**
   * Seconds of waiting without a worker after which the account's documents need attention. Null or
   * absent for the default.
   */
  readonly unworkedAfterSeconds?: number | null
}

/** Result of moving an account to another device. */
export type Repinning =
  | { readonly _tag: "Repinned"; readonly moved: number; readonly redated: number }
  /**
   * Refused without any change. `text` is the reason in words.
   *
   * `in-flight`: a document is Sending, Accepted or Unknown, or was tried and waits for another
   * try.
   * `other-taxpayer`: the new device has another TIN.
   * `other-environment`: documents of a sandbox must not go to a live device.
   */
  | {
      readonly _tag: "Refused"
      readonly reason: "in-flight" | "other-taxpayer" | "other-environment"
      readonly text: string
    }

/** Operations of the account's device. Each operation is one transaction. */
export interface PinOperations {
  /**
   * Pins the account to its device on first use.
   *
   * Another device, taxpayer or serial number than the pinned values stops the pinned lane with
   * cause `device-changed` and returns `Changed`. The pinned device clears that stop again.
   */
  readonly pin: (
    pin: Pin
  ) => StoreEffect<{ readonly _tag: "Pinned" } | { readonly _tag: "Changed"; readonly pinned: string }>
  /** Returns the pin of the account, or none if the account was never pinned. */
  readonly pinOf: (account: string) => StoreEffect<Option.Option<Pin>>
  /**
   * Records an operator's permission to use the account's key at another gateway (scheme, host and
   * port) than at first use.
   */
  readonly trustOrigin: (account: string, origin: string, because: string) => StoreEffect<void>
  /**
   * Moves the account, with its unsent documents, from its replaced device to the new device. An
   * operator's decision.
   *
   * Refused without any change while a document of the account may be, or become, a receipt of the
   * old device, or if the taxpayer or the environment differs.
   *
   * Assigned receipt dates move if the mark of the new device requires a later date. Documents held
   * as late are released; the new lane holds them again if they are late there, too. Declined and
   * rejected documents go to the new device once they are corrected.
   */
  readonly repin: (pin: Pin, because: string) => StoreEffect<Repinning>
}
