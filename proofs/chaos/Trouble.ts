/** Random failures of the gateway, the device and the disk. */
import type { FaultSpec } from "@fiscal-connector/sandbox/fault/Fault"
import { Effect } from "effect"
import { closeSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Random } from "../Random.ts"
import { type ChaosWorld, count, stranger } from "./ChaosWorld.ts"

type Fault = typeof FaultSpec.Encoded

const submits = ["submitInvoice", "submitCreditNote"] as const

// Only faults that a gateway may have under its contract: an answer of the certainly-not-processed
// list never follows the work.
const kinds: ReadonlyArray<(random: Random) => Fault> = [
  () => ({ kind: "drop", stage: "before" }),
  () => ({ kind: "drop", stage: "after" }),
  () => ({ kind: "drop", stage: "after", operations: submits }),
  (random) => ({ kind: "error", status: random.pick([500, 502, 503, 504]), stage: random.pick(["before", "after"]) }),
  () => ({ kind: "error", status: 500, stage: "after", operations: submits }),
  (random) => ({ kind: "error", status: 429, ...(random.chance(0.5) ? { retryAfter: "2" } : {}) }),
  () => ({ kind: "error", status: 429, operations: submits }),
  (random) => ({ kind: "error", status: random.pick([400, 413, 422]), operations: submits }),
  (random) => ({ kind: "error", status: random.pick([401, 403, 404, 405]), operations: submits }),
  (random) => ({ kind: "error", status: random.pick([408, 409, 302]), stage: random.pick(["before", "after"]) }),
  (random) => ({ kind: "html", status: random.pick([200, 502]), stage: random.pick(["before", "after"]) }),
  (random) => ({ kind: "empty", stage: random.pick(["before", "after"]) }),
  (random) => ({ kind: "answer", body: random.pick(["{}", "[]", "<p>"]), stage: "after" }),
  (random) => ({ kind: "latency", millis: random.between(200, 7000), stage: random.pick(["before", "after"]) }),
  (random) => ({ kind: "latency", millis: random.between(2000, 7000), stage: "after", operations: submits }),
  (random) => ({ kind: "slow-body", millis: random.between(500, 7000) }),
  () => ({ kind: "truncated-body" }),
  () => ({ kind: "truncated-body", operations: submits }),
  () => ({ kind: "content-type" }),
  () => ({ kind: "quoted-id" }),
  () => ({ kind: "numbers-as-strings" }),
  () => ({ kind: "unknown-fields" }),
  (random) => ({ kind: random.pick(["items-out-of-order", "items-repeated", "items-missing", "items-unknown"]) }),
  () => ({ kind: "reject", actionable: true, error: "RCPT099 not now" }),
  () => ({ kind: "reject", actionable: false, error: "RCPT026: never" })
]

/** Counts the strikes of the faults in force, and removes the faults. */
export const calm = (world: ChaosWorld) =>
  Effect.gen(function* () {
    const { control } = world.sandbox
    for (const { spec, struck } of yield* control.faults) {
      const stage = "stage" in spec ? ` ${spec.stage}` : ""
      const status = "status" in spec ? ` ${spec.status}` : ""
      const nature = "actionable" in spec ? (spec.actionable ? " actionable" : " final") : ""
      count(world, `fault ${spec.kind}${status}${stage}${nature}`, struck)
    }
    yield* control.clearFaults
  })

// Most requests take long enough for a process to be killed meanwhile.
const slowly: Fault = { kind: "latency", millis: 150, stage: "after", operations: submits, probability: 0.5 }

/**
 * Adds and removes faults, one or two at a time. A fault that keeps a document pending concerns
 * only the account that shares no device.
 */
export const faults = (world: ChaosWorld, random: Random) =>
  Effect.gen(function* () {
    const { control } = world.sandbox
    while (true) {
      yield* control.addFault({ ...slowly, seed: random.between(1, 1e6) })
      yield* Effect.sleep(random.between(1000, 4000))
      const drawn = Array.from({ length: random.between(1, 2) }, () =>
        random.chance(0.03)
          ? ({ kind: "pend", accounts: ["solo"], times: 1 } as const)
          : {
              times: random.between(1, 5),
              probability: 0.7,
              seed: random.between(1, 1e6),
              ...random.pick(kinds)(random)
            }
      )
      for (const fault of drawn) yield* control.addFault(fault)
      yield* Effect.sleep(random.between(3000, 9000))
      yield* calm(world)
    }
  })

const submission = (n: number, now: Date) => ({
  InvoiceId: `STRANGER-${n}`,
  InvoiceNumber: `STRANGER-${n}`,
  IsDiscounted: false,
  IsTaxInclusive: true,
  Date: `${new Date(now.getTime() + 2 * 3_600_000).toISOString().slice(0, 19)}+02:00`,
  LineItems: [
    {
      Description: "Widget",
      UnitAmount: 11.55,
      TaxCode: "VAT155",
      ProductCode: "12345678",
      LineAmount: 11.55,
      Quantity: 1
    }
  ],
  SubTotal: 10,
  TotalTax: 1.55,
  Total: 11.55,
  CurrencyCode: "USD",
  IsRetry: false
})

const sell = (world: ChaosWorld, n: number) =>
  Effect.gen(function* () {
    const response = yield* Effect.promise(() =>
      fetch(`${world.sandbox.url}/invoice`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "X-Api-Key": stranger.key,
          "X-Application": "test",
          "X-App-Station": "test",
          "X-App-Version": "1"
        },
        body: JSON.stringify(submission(n, new Date()))
      }).then(
        ({ status }) => status,
        () => 0
      )
    )
    count(world, response === 200 || response === 201 ? "another till sold" : `another till was answered ${response}`)
  })

/**
 * Closes the day as the other till; if red receipts stop the close, the authority repairs the day
 * first.
 */
const close = (world: ChaosWorld) =>
  Effect.gen(function* () {
    const { control } = world.sandbox
    const closed = yield* control.closeDay({ deviceId: stranger.device })
    count(world, `day ${closed.result}`)
    if (closed.result === "closed") return
    yield* control.repairDay({ deviceId: stranger.device })
    count(world, `day ${(yield* control.closeDay({ deviceId: stranger.device })).result} after repair`)
  }).pipe(Effect.orDie)

const switchOff = (world: ChaosWorld, millis: number) =>
  Effect.gen(function* () {
    const { control } = world.sandbox
    count(world, "device off and on")
    yield* control.changeDevice({ deviceId: stranger.device, isSwitchedOn: false })
    yield* Effect.sleep(millis)
    yield* control.changeDevice({ deviceId: stranger.device, isSwitchedOn: true })
  }).pipe(Effect.orDie)

const slowDevice = (world: ChaosWorld, millis: number) =>
  Effect.gen(function* () {
    const { control } = world.sandbox
    count(world, "device slow")
    yield* control.change({ processingDelayMillis: 4000 })
    yield* Effect.sleep(millis)
    yield* control.change({ processingDelayMillis: 50 })
  })

/** Fills the store's disk to the last byte for a while. */
const fill = (world: ChaosWorld, millis: number) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const file = join(world.diskFolder, "filler")
      const handle = openSync(file, "w")
      try {
        for (const size of [1 << 20, 4096]) {
          const block = new Uint8Array(size)
          try {
            while (writeSync(handle, block) === size);
          } catch {
            // The disk is full.
          }
        }
      } finally {
        closeSync(handle)
      }
      count(world, "disk full")
      return file
    }),
    () => Effect.sleep(millis),
    (file) => Effect.sync(() => rmSync(file, { force: true }))
  )

/** Runs incidents of device and disk, one at a time. */
export const events = (world: ChaosWorld, random: Random) =>
  Effect.gen(function* () {
    let sold = 0
    while (true) {
      yield* Effect.sleep(random.between(8000, 25_000))
      const millis = random.between(2000, 9000)
      const drawn = random.between(1, world.disk === "tmpfs" ? 10 : 8)
      if (drawn <= 2) yield* close(world)
      else if (drawn <= 4) {
        yield* sell(world, ++sold)
        if (random.chance(0.7)) yield* close(world)
      } else if (drawn <= 6) yield* switchOff(world, millis)
      else if (drawn <= 8) yield* slowDevice(world, millis)
      else yield* fill(world, millis)
    }
  })
