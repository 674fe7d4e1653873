import { Data, Duration } from "effect"
import * as Finding from "../finding/Finding.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import { AccountFinding } from "./AccountFinding.ts"
import type { ChangedOrigin } from "./KeyOrigin.ts"
import * as KeyOrigin from "./KeyOrigin.ts"
import * as GatewayFailure from "./GatewayFailure.ts"
import { sentence } from "../submission/ledger/StoreStop.ts"
import type { StopCause } from "../submission/Lane.ts"
import type { Environment } from "../submission/PlannedDocument.ts"

/** A device, with the facts by which an operator recognizes the device. */
export interface DeviceIdentity {
  readonly deviceId: number
  readonly serial: string | null
  readonly taxpayerName: string | null
  readonly tin: string | null
  readonly environment: Environment
}

/** One reason why nothing may be sent for an account. */
export type StopReason =
  /** The gateway did not answer one of the reads. */
  | { readonly _tag: "Unasked"; readonly error: GatewayError }
  | { readonly _tag: "DeviceMissing"; readonly error: GatewayError }
  /** DEV01 or SUBSCRIPTION_INACTIVE. */
  | { readonly _tag: "DeviceRefuses"; readonly finding: Finding.Finding }
  /** `pinned` is the lane of the device that the account was used with. */
  | { readonly _tag: "DeviceChanged"; readonly pinned: string; readonly text: string }
  /** The gateway was not asked, because the key was used for another gateway. */
  | { readonly _tag: "OriginChanged"; readonly account: string; readonly change: ChangedOrigin }
  /**
   * Every user of the machine may write files that decide about a live device. One text per file.
   */
  | { readonly _tag: "LiveExposed"; readonly texts: ReadonlyArray<string> }
  | { readonly _tag: "LiveNotAllowed"; readonly device: DeviceIdentity }
  /**
   * `code`, made from the device and this store, confirms the first use. `other` is the store that
   * was used before, if known.
   */
  | {
      readonly _tag: "FirstUse"
      readonly code: string
      readonly device: DeviceIdentity
      readonly other: { readonly attempts: number; readonly at: string } | null
    }
  /** `text` names the missing attempt or acceptance. */
  | { readonly _tag: "StoreOlder"; readonly text: string }
  /**
   * The store's database has changed, and no known attempt could prove the store complete.
   * `text` names both databases.
   */
  | { readonly _tag: "StoreUnproven"; readonly text: string }
  /** The device has receipts that the store lacks. `text` names them. */
  | { readonly _tag: "StoreBehind"; readonly text: string }
  /** A power cut could make the store forget what was sent. */
  | { readonly _tag: "StoreNotDurable"; readonly text: string }
  | { readonly _tag: "ClockWrong"; readonly aheadMillis: number; readonly allowed: Duration.Duration }

const whose = ({ deviceId, serial, taxpayerName, tin }: DeviceIdentity) =>
  `device ${deviceId}, serial number ${serial ?? "not given"}, taxpayer ${taxpayerName ?? ""} (TIN ${tin ?? "not given"})`

/** Returns the finding to show to the user, with the next step. */
export const finding = (reason: StopReason): Finding.Finding => {
  switch (reason._tag) {
    case "Unasked":
      return GatewayFailure.finding(reason.error)
    case "DeviceMissing":
      return Finding.make(AccountFinding.DEVICE_MISSING, { message: reason.error.message })
    case "DeviceRefuses":
      return reason.finding
    case "DeviceChanged":
      return Finding.make(AccountFinding.DEVICE_CHANGED, { message: reason.text })
    case "OriginChanged":
      return Finding.make(AccountFinding.CONFIG_ORIGIN_CHANGED, {
        message: KeyOrigin.changed(reason.account, reason.change),
        detail: "the store"
      })
    case "LiveExposed":
      return Finding.make(AccountFinding.LIVE_EXPOSED, { detail: reason.texts.join("; ") })
    case "LiveNotAllowed":
      return Finding.make(AccountFinding.LIVE_NOT_ALLOWED, { detail: whose(reason.device) })
    case "FirstUse": {
      const { other } = reason
      const before =
        other === null ? "" : `; another store had sent ${other.attempts} requests to it, the last seen at ${other.at}`
      return Finding.make(AccountFinding.FIRST_USE, { detail: `code ${reason.code}: ${whose(reason.device)}${before}` })
    }
    case "StoreOlder":
      return Finding.make(AccountFinding.STORE_OLDER, { message: sentence({ text: reason.text, is: "older" }) })
    case "StoreUnproven":
      return Finding.make(AccountFinding.STORE_UNPROVEN, {
        message: sentence({ text: reason.text, is: "unproven" })
      })
    case "StoreBehind":
      return Finding.make(AccountFinding.STORE_BEHIND, { message: sentence({ text: reason.text, is: "behind" }) })
    case "StoreNotDurable":
      return Finding.make(AccountFinding.STORE_NOT_DURABLE, { detail: reason.text })
    case "ClockWrong": {
      const seconds = Math.round(Math.abs(reason.aheadMillis) / 1000)
      return Finding.make(AccountFinding.CLOCK_WRONG, {
        message: `this machine's clock is ${seconds} s ${reason.aheadMillis > 0 ? "ahead of" : "behind"} the gateway's; ${Duration.format(reason.allowed)} are allowed`
      })
    }
  }
}

/**
 * Returns the stop of a lane whose permission could not be renewed. Null if the reason concerns the
 * caller and not the lane.
 */
export const stopCause = (reason: StopReason): StopCause | null => {
  switch (reason._tag) {
    case "Unasked":
      return reason.error.reason._tag === "CredentialsRefused" ? "credentials" : "not-sent"
    case "DeviceMissing":
      return "not-found"
    case "DeviceRefuses":
      return "device-refuses"
    case "DeviceChanged":
      return "device-changed"
    case "ClockWrong":
      return "clock"
    case "StoreOlder":
      return "store-older"
    case "StoreUnproven":
      return "store-unproven"
    case "StoreBehind":
      return "store-behind"
    case "OriginChanged":
    case "LiveExposed":
    case "LiveNotAllowed":
    case "FirstUse":
    case "StoreNotDurable":
      return null
  }
}

/** Nothing was sent for the account, and nothing will be sent. Contains every reason. */
export class AccountStopped extends Data.TaggedError("AccountStopped")<{
  readonly account: string
  readonly reasons: readonly [StopReason, ...ReadonlyArray<StopReason>]
}> {
  get findings(): ReadonlyArray<Finding.Finding> {
    return this.reasons.map(finding)
  }

  override get message() {
    const reasons = this.findings.map(({ detail, message }) =>
      detail === undefined ? message : `${message} (${detail})`
    )
    return `nothing is sent for the account ${this.account}: ${reasons.join("; ")}`
  }
}
