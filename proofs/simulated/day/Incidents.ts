/**
 * Incidents of a day, apart from the network: at the gateway, with the device, on the machines, and
 * with the store's file.
 */
import { device, otherDevice, otherTill } from "../Accounts.ts"
import { hour, paceOf } from "../Books.ts"
import type { Deliveries } from "../Deliveries.ts"
import { type Draw, stream } from "../Draw.ts"
import { type GatewaySide, wordsInWork } from "../GatewaySide.ts"
import type { Scenario, Trouble } from "../Scenario.ts"
import type { Simulation } from "../Simulation.ts"
import { type Occasion, note, type Seen } from "../Sometimes.ts"
import type { StoreRestores } from "./StoreRestores.ts"
import * as Words from "../Words.ts"
import type { FaultSpec } from "@fiscal-connector/sandbox/fault/Fault"

/** Parts of the day that an incident acts on. */
export interface IncidentsOptions {
  readonly scenario: Scenario
  readonly simulation: Simulation
  readonly gateway: GatewaySide
  readonly deliveries: Deliveries
  readonly seen: Seen
  readonly isCalm: () => boolean
  /** Moves the clock of the first machine, with every process on it. */
  readonly jump: (by: number) => void
  /** Calls the function at each hand-over of a document, or whenever a document becomes Unknown. */
  readonly each: (what: "sending" | "unknown", then: () => void) => void
  readonly rotateSecret: () => void
  /** Sets the clock of the store's server so many milliseconds ahead of the true time. */
  readonly serverClock: (ahead: number) => void
  readonly editBook: () => void
  /** Closes the fiscal day and makes its account, then calls the function. */
  readonly closeDay: (then: () => void) => void
  readonly disk: (state: "full" | "free") => void
  /** True if the store has pinned every account to its device. */
  readonly isPinned: () => boolean
  /** Operations on the store's file. */
  readonly store: Pick<StoreRestores, "backup" | "restore" | "lose" | "find" | "accept">
}

const eightDays = 8 * 24 * hour
const pinnedSoon = hour / 6

/** Returns the gateway's processing time of a document, in milliseconds. */
export const processingDelayOf = ({ troubles }: Scenario): number => (troubles.has("pends") ? 240_000 : 3000)

/** Adds the faults of the gateway and of its deliveries: each strikes at random from the start. */
export const faults = ({ gateway, scenario }: IncidentsOptions): void => {
  const { seed, troubles } = scenario
  const submissions = ["submitInvoice", "submitCreditNote"] as const
  const standing = [
    ["error-after", { kind: "error", status: 500, stage: "after", operations: submissions }, 0.03],
    ["error-before", { kind: "error", status: 503, stage: "before" }, 0.02],
    ["limits", { kind: "error", status: 429, retryAfter: "30", stage: "before" }, 0.03],
    ["rejects", { kind: "reject" }, 0.03],
    ["pages", { kind: "html", status: 200, stage: "after" }, 0.01],
    ["lost-deliveries", { kind: "delivery-lost" }, 0.3],
    ["bent-deliveries", { kind: "delivery-twice" }, 0.2],
    ["bent-deliveries", { kind: "delivery-late", millis: 400_000 }, 0.1],
    ["bent-deliveries", { kind: "delivery-out-of-order" }, 0.2],
    ["bent-deliveries", { kind: "delivery-corrupted" }, 0.05],
    ["bent-deliveries", { kind: "delivery-badly-signed" }, 0.05],
    ["early-deliveries", { kind: "delivery-early" }, 0.3]
  ] as const
  for (const [i, [trouble, fault, probability]] of standing.entries()) {
    const isDelivery = fault.kind.startsWith("delivery")
    if (!troubles.has(trouble) || (isDelivery && !troubles.has("webhooks"))) continue
    gateway.on(({ control }) => control.addFault({ ...fault, probability, seed: seed * 16 + i }))
  }
  for (const [i, fault] of words(scenario).entries())
    gateway.on(({ control }) => control.addFault({ ...fault, seed: seed * 64 + i }))
  gateway.on(({ control }) => control.change({ processingDelayMillis: processingDelayOf(scenario) }))
}

/** Longest time for which a receipt is reported without its proof, in milliseconds. */
const longestWithoutProof = 2 * hour

const besidePdf = (draw: Draw): FaultSpec => ({
  kind: "working",
  ...Words.besidePdf(draw),
  pdf: "receipt-{number}.pdf",
  millis: Words.timeOf(draw),
  probability: 0.04
})

/** Returns the faults of the gateway's reports; together they strike a third of the documents. */
const words = (scenario: Scenario): ReadonlyArray<FaultSpec> => {
  const { seed, troubles } = scenario
  const draw = stream(seed, "words")
  const inWork = wordsInWork(scenario).map((said): FaultSpec => {
    const millis = Words.timeOf(draw)
    return { kind: "working", ...said, millis, probability: 0.04 }
  })
  const failing = Array.from({ length: 3 }, (): FaultSpec => ({
    kind: "reject",
    ...Words.ofFailure(draw),
    probability: 0.02
  }))
  const contradiction = (qrData: "object" | "text"): FaultSpec => ({
    kind: "contradiction",
    ...Words.whileWorking(draw),
    qrData,
    probability: 0.03
  })
  const millis = draw.between(60_000, longestWithoutProof)
  return [
    ...(troubles.has("working-words") ? inWork : []),
    ...(troubles.has("failing-words") ? failing : []),
    ...(troubles.has("contradictions") ? [contradiction("object"), contradiction("text")] : []),
    ...(troubles.has("missing-proofs") ? [{ kind: "proof-missing" as const, millis, probability: 0.1 }] : []),
    ...(troubles.has("repeated-proofs") ? [{ kind: "proof-repeated" as const, probability: 0.04 }] : []),
    ...(troubles.has("working-words") ? [besidePdf(stream(seed, "beside a file name"))] : [])
  ]
}

/** Schedules the incidents, each at a time from a separate random stream. */
export const schedule = (options: IncidentsOptions): void => {
  const { deliveries, disk, gateway, isCalm, jump, scenario, seen, simulation, store } = options
  const pace = paceOf(scenario)
  const on = (trouble: Trouble, from: number, to: number, then: (life: ReturnType<typeof stream>) => void) => {
    if (!scenario.troubles.has(trouble)) return
    const life = stream(scenario.seed, `incident ${trouble}`)
    simulation.later(life.between(from * hour, to * hour) * pace, null, () => {
      if (!isCalm()) then(life)
    })
  }
  const happens = (occasion: Occasion) => note(seen, occasion)
  const device_ = (said: string, to: Parameters<GatewaySide["change"]>[0]) => {
    simulation.log(`the device is ${said}`)
    gateway.change(to)
  }
  on("device-off", 0.5, 3.5, (life) => {
    happens("the device is off")
    device_("off", { standing: "off" })
    simulation.later(life.between(0.2 * hour, hour), null, () => device_("on", { standing: "on" }))
  })
  on("device-flickers", 0, 0.001, (life) => {
    let isOff = false
    // While documents are sent, so that some are in work and others follow.
    options.each("sending", () => {
      if (isOff || isCalm() || !life.chance(0.12)) return
      isOff = true
      happens("the device is off")
      device_("off", { standing: "off" })
      simulation.later(life.between(60_000, 0.5 * hour), null, () => {
        isOff = false
        device_("on", { standing: "on" })
      })
    })
  })
  on("nights", 0, 0.01, () => {
    const night = () => {
      if (isCalm()) return
      happens("the device is off at night")
      device_("off", { standing: "off" })
      simulation.later(9 * hour, null, () => {
        device_("on", { standing: "on" })
        simulation.later(15 * hour, null, night)
      })
    }
    // The day begins at 6 o'clock; the night is from 21 to 6.
    simulation.later(15 * hour, null, night)
  })
  on("server-clock", 0.01, 0.2, (life) => {
    const jump = () => {
      if (isCalm()) return
      happens("the clock of the store's server jumps")
      options.serverClock(life.between(-1_800_000, 1_800_000))
      simulation.later(life.between(60_000, 0.3 * hour), null, jump)
    }
    jump()
    // Ahead while the request of an Unknown may still arrive.
    options.each("unknown", () => {
      if (!isCalm() && life.chance(0.5)) options.serverClock(life.between(600_000, 1_800_000))
    })
  })
  on("device-swap", 0.5, 3.5, (life) => {
    const swap = () => {
      if (isCalm()) return
      // an account that no process has opened yet has no device that could be replaced
      if (!options.isPinned()) return simulation.later(pinnedSoon, null, swap)
      happens("the device is another")
      device_("another", { deviceId: otherDevice })
      simulation.later(life.between(0.2 * hour, hour), null, () => device_("the same again", { deviceId: device }))
    }
    swap()
  })
  on("closes", 1, 3.5, () => {
    happens("the day is closed")
    options.closeDay(() => {})
  })
  on("clock-jumps", 1, 3.5, (life) => {
    happens("a clock jumps")
    const by = life.between(-600_000, 600_000)
    jump(by)
    simulation.later(life.between(0.2 * hour, hour), null, () => jump(-by))
  })
  on("rotation", 1, 3.5, () => {
    happens("a secret is exchanged")
    options.rotateSecret()
  })
  on("book-edited", 0.5, 3.5, () => {
    happens("the mapping book is edited")
    options.editBook()
  })
  on("disk-full", 0.5, 3, (life) => {
    happens("the disk is full")
    disk("full")
    simulation.later(life.between(60_000, 0.5 * hour), null, () => disk("free"))
  })
  on("other-till", 0.5, 3.5, (life) => {
    const issue = (left: number) => {
      if (isCalm()) return
      happens("another till issues a receipt")
      gateway.otherTillIssues(`${otherTill}-${left}`)
      if (left > 1) simulation.later(life.between(60_000, hour), null, () => issue(left - 1))
    }
    issue(1 + life.int(3))
  })
  on("horizon", 0.5, 3, () => {
    // In the order of acceptance: documents taken later wait as well.
    simulation.log("the gateway processes for eight days nothing of what it takes from now on")
    gateway.on(({ control }) => control.change({ processingDelayMillis: eightDays }))
  })
  on("forgeries", 0.1, 0.5, (life) => {
    const forge = () => {
      if (isCalm() || !scenario.troubles.has("webhooks")) return
      const { requests } = gateway
      const about = requests[life.int(Math.max(1, requests.length))]
      if (about !== undefined) {
        happens("a delivery is forged")
        deliveries.forge(about.requestId, about.account)
      }
      simulation.later(life.between(30_000, 0.4 * hour), null, forge)
    }
    forge()
  })
  // A lane is first used between the copy and the restore, if the scenario demands it.
  const isLateLane = scenario.troubles.has("late-lane")
  on("restored", 0.3, isLateLane ? 0.4 : 1.5, (life) => {
    store.backup()
    simulation.later(life.between(isLateLane ? 0.7 * hour : 0.1 * hour, hour), null, () => store.restore())
    const isFound = life.chance(0.5)
    simulation.later(life.between(1.1 * hour, 1.9 * hour), null, () => (isFound ? store.find() : store.accept()))
  })
  on("lost-store", 0.5, 1.5, (life) => {
    // For a test device, no code is required, and a lost store is not noticed.
    if (!scenario.troubles.has("live") || scenario.troubles.has("restored")) return
    store.lose()
    simulation.later(life.between(0.2 * hour, 1.5 * hour), null, () => store.find())
  })
}
