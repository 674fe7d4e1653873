import * as Schema from "effect/Schema"
import { ZReport } from "../day/FiscalDay.ts"
import * as SandboxClock from "../gateway/Clock.ts"
import { Submission } from "../gateway/Submission.ts"
import { enter, type WorldState } from "../gateway/World.ts"
import { CurrencyMapping } from "../wire/CurrencyMapping.ts"
import { TaxMapping } from "../wire/TaxMapping.ts"

const AccountState = Schema.Struct({
  name: Schema.String,
  taxMappings: Schema.Array(TaxMapping),
  currencyMappings: Schema.Array(CurrencyMapping)
})

const DeviceState = Schema.Struct({
  id: Schema.Int,
  lastReceiptNumber: Schema.Int,
  lastReceiptAt: Schema.NullOr(Schema.Int),
  fiscalDay: Schema.Int,
  dayOpenedAt: Schema.NullOr(Schema.Int),
  repaired: Schema.Array(Schema.String),
  reports: Schema.Array(ZReport)
})

/**
 * Saved state. Faults, settings and device changes made during a run are not saved: a new run
 * starts with its configuration's.
 */
export const SandboxState = Schema.Struct({
  version: Schema.Literal(1),
  clock: SandboxClock.Position,
  lastMappingId: Schema.Int,
  accounts: Schema.Array(AccountState),
  devices: Schema.Array(DeviceState),
  submissions: Schema.Array(Submission)
})
export type SandboxState = typeof SandboxState.Type

export const of = (world: WorldState, clock: SandboxClock.Position): SandboxState => ({
  version: 1,
  clock,
  lastMappingId: world.lastMappingId,
  accounts: world.accounts.map((account) => ({
    name: account.name,
    taxMappings: [...account.taxMappings.values()],
    currencyMappings: [...account.currencyMappings.values()]
  })),
  devices: Array.from(world.devices.values(), (device) => ({
    id: device.id,
    lastReceiptNumber: device.lastReceiptNumber,
    lastReceiptAt: device.lastReceiptAt ?? null,
    fiscalDay: device.days.number,
    dayOpenedAt: device.days.openedAt ?? null,
    repaired: [...device.days.repaired],
    reports: [...device.days.reports.values()]
  })),
  submissions: [...world.submissions.values()]
})

/**
 * Returns the accounts and devices of a state that the configuration does not have. A state with
 * any of these belongs to another configuration.
 */
export const strangers = (world: WorldState, state: SandboxState): ReadonlyArray<string> => [
  ...state.accounts
    .filter(({ name }) => world.accounts.every((account) => account.name !== name))
    .map(({ name }) => `account ${name}`),
  ...state.devices.filter(({ id }) => !world.devices.has(id)).map(({ id }) => `device ${id}`)
]

const restoreDevices = (world: WorldState, state: SandboxState): void => {
  for (const saved of state.devices) {
    const device = world.devices.get(saved.id)
    if (device === undefined) continue
    device.lastReceiptNumber = saved.lastReceiptNumber
    device.lastReceiptAt = saved.lastReceiptAt ?? undefined
    device.days.number = saved.fiscalDay
    device.days.openedAt = saved.dayOpenedAt ?? undefined
    for (const requestId of saved.repaired) device.days.repaired.add(requestId)
    for (const report of saved.reports) device.days.reports.set(report.fiscalDay, report)
  }
}

const restoreSubmission = (world: WorldState, submission: Submission): void => {
  enter(world, submission)
  const device = world.devices.get(submission.deviceId)
  if (device === undefined || submission.sharesReceiptOf !== null) return
  if (submission.outcome._tag === "Pending") device.queue.push(submission)
  if (submission.outcome._tag !== "Fiscalised") return
  const { receipt } = submission.outcome
  world.receipts.add(receipt, device.config.tin)
  if (receipt.qrData.FiscalDay === device.days.number) device.days.receipts.push(receipt)
}

export const restore = (world: WorldState, state: SandboxState): void => {
  world.lastMappingId = Math.max(world.lastMappingId, state.lastMappingId)
  for (const saved of state.accounts) {
    const account = world.accounts.find(({ name }) => name === saved.name)
    if (account === undefined) continue
    account.taxMappings.clear()
    account.currencyMappings.clear()
    for (const mapping of saved.taxMappings) account.taxMappings.set(mapping.Id, mapping)
    for (const mapping of saved.currencyMappings) account.currencyMappings.set(mapping.Id, mapping)
  }
  restoreDevices(world, state)
  for (const submission of state.submissions) restoreSubmission(world, submission)
}
