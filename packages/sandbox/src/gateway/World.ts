/**
 * One mutable value per sandbox; every change happens inside one synchronous step, so that no
 * request sees a half-finished change.
 */
import * as Context from "effect/Context"
import * as Latch from "effect/Latch"
import { randomUUID } from "node:crypto"
import * as AccountConfig from "../AccountConfig.ts"
import type * as DeviceConfig from "../DeviceConfig.ts"
import * as FiscalDay from "../day/FiscalDay.ts"
import { ReceiptBook } from "../day/ReceiptBook.ts"
import { FaultBook } from "../fault/FaultBook.ts"
import type { RetryPolicy, SandboxConfig, UnknownIds } from "../SandboxConfig.ts"
import type { CurrencyMapping } from "../wire/CurrencyMapping.ts"
import type { Document } from "../wire/Document.ts"
import type { TaxMapping } from "../wire/TaxMapping.ts"
import type { GatewayCall } from "./Call.ts"
import * as SandboxClock from "./Clock.ts"
import type { Observer } from "./Observed.ts"
import type { Submission } from "./Submission.ts"

export interface SandboxAccount {
  readonly name: string
  readonly userId: number
  config: AccountConfig.AccountConfig
  device: Device | undefined
  readonly taxMappings: Map<number, TaxMapping>
  readonly currencyMappings: Map<number, CurrencyMapping>
}

/** Device, its queue of requests in the order of acceptance (ORD-1), and its running fiscal day. */
export interface Device {
  readonly id: number
  config: DeviceConfig.DeviceConfig
  readonly queue: Array<Submission>
  lastReceiptNumber: number
  /** Latest date of any receipt, in seconds since 1970. */
  lastReceiptAt: number | undefined
  readonly days: FiscalDay.FiscalDays
}

export interface WorldState {
  readonly config: SandboxConfig
  readonly clock: SandboxClock.SandboxClock
  readonly faults: FaultBook
  readonly accounts: ReadonlyArray<SandboxAccount>
  readonly devices: ReadonlyMap<number, Device>
  readonly submissions: Map<string, Submission>
  readonly documents: Map<string, [Submission, ...Array<Submission>]>
  readonly receipts: ReceiptBook
  readonly calls: Array<GatewayCall>
  /**
   * Submissions whose outcome is not delivered by webhook yet: processed, or pending under the
   * receipt of another request. Undefined while there is no webhook.
   */
  outbox: Array<Submission> | undefined
  readonly bell: Latch.Latch
  readonly observers: Set<Observer>
  readonly newRequestId: () => string
  retryPolicy: RetryPolicy
  readonly unknownIds: UnknownIds
  processingDelayMillis: number
  lastMappingId: number
  revision: number
}

export const deviceOf = (world: WorldState, deviceId: number | undefined): Device | undefined =>
  deviceId === undefined ? world.devices.values().next().value : world.devices.get(deviceId)

const documentKey = (account: string, document: Document): string =>
  JSON.stringify([account, document.kind, document.id])

export const submissionsOf = (world: WorldState, account: string, document: Document): ReadonlyArray<Submission> =>
  world.documents.get(documentKey(account, document)) ?? []

export const enter = (world: WorldState, submission: Submission): void => {
  world.submissions.set(submission.requestId, submission)
  const key = documentKey(submission.account, submission.document)
  const known = world.documents.get(key)
  if (known === undefined) world.documents.set(key, [submission])
  else known.push(submission)
}

export class World extends Context.Service<World, WorldState>()("@fiscal-connector/sandbox/World") {}

const account = (
  config: AccountConfig.AccountConfig,
  position: number,
  devices: ReadonlyMap<number, Device>,
  nextMappingId: () => number
): SandboxAccount => {
  const userId = config.userId ?? position + 1
  const device = config.device === undefined ? undefined : devices.get(config.device)
  return {
    name: AccountConfig.nameOf(config, position),
    userId,
    config,
    device,
    taxMappings: new Map(
      config.taxMappings.map((mapping) => {
        const Id = nextMappingId()
        return [
          Id,
          {
            Id,
            UserId: userId,
            TaxCode: mapping.taxCode,
            TaxName: mapping.taxName ?? mapping.taxCode,
            DestinationTaxId: mapping.destinationTaxId
          }
        ]
      })
    ),
    currencyMappings: new Map(
      config.currencyMappings.map((mapping) => {
        const Id = nextMappingId()
        return [
          Id,
          {
            Id,
            UserId: userId,
            RegulatorDeviceId: device?.id ?? null,
            SourceCurrency: mapping.sourceCurrency,
            DestinationCurrency: mapping.destinationCurrency
          }
        ]
      })
    )
  }
}

/**
 * Creates a world from its configuration. `machineNow` is the machine's time in milliseconds since
 * 1970; request ids are random unless the caller provides them.
 */
export const fresh = (
  config: SandboxConfig,
  machineNow: number,
  newRequestId: () => string = randomUUID
): WorldState => {
  let lastMappingId = 0
  const devices = new Map(
    config.devices.map((device) => [
      device.deviceId,
      {
        id: device.deviceId,
        config: device,
        queue: [],
        lastReceiptNumber: 0,
        lastReceiptAt: undefined,
        days: FiscalDay.start()
      }
    ])
  )
  const accounts = config.accounts.map((each, index) => account(each, index, devices, () => ++lastMappingId))
  return {
    config,
    clock: SandboxClock.make({ offset: config.startAt === undefined ? 0 : Date.parse(config.startAt) - machineNow }),
    faults: new FaultBook(config.faults),
    accounts,
    devices,
    submissions: new Map(),
    documents: new Map(),
    receipts: new ReceiptBook(config.credits),
    calls: [],
    outbox: undefined,
    bell: Latch.makeUnsafe(),
    observers: new Set(),
    newRequestId,
    retryPolicy: config.isRetry,
    unknownIds: config.unknownIds,
    processingDelayMillis: config.processingDelayMillis,
    lastMappingId,
    revision: 0
  }
}
