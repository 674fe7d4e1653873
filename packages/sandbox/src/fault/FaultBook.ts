/** Draws are seeded: the same calls in the same order meet the same faults. */
import { type FaultSpec, natural, type StandingFault, type Struck } from "./Fault.ts"

/**
 * Data that a trigger is matched against. `documents`: ids and numbers of the call's documents.
 * `account`: undefined if unknown.
 */
export interface CallSubject {
  readonly operation: Struck
  readonly account: string | undefined
  readonly documents: ReadonlyArray<string>
}

interface ActiveFault {
  readonly id: string
  readonly spec: FaultSpec
  met: number
  struck: number
  draw: number
}

// Random numbers by mulberry32: small, and the same on every machine.
const draw = (entry: ActiveFault): number => {
  entry.draw = (entry.draw + 0x6d2b79f5) | 0
  let bits = Math.imul(entry.draw ^ (entry.draw >>> 15), 1 | entry.draw)
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
  return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
}

const concerns = (spec: FaultSpec, call: CallSubject): boolean => {
  const operations: ReadonlyArray<Struck> | undefined = spec.operations ?? natural(spec.kind)
  return (
    (operations === undefined ? !call.operation.startsWith("delivery") : operations.includes(call.operation)) &&
    (spec.accounts === undefined || (call.account !== undefined && spec.accounts.includes(call.account))) &&
    (spec.documents === undefined || call.documents.some((document) => spec.documents?.includes(document)))
  )
}

const isSpent = (entry: ActiveFault): boolean => entry.spec.times !== undefined && entry.struck >= entry.spec.times

export class FaultBook {
  private readonly entries: Array<ActiveFault> = []
  private lastId = 0

  constructor(specs: ReadonlyArray<FaultSpec>) {
    for (const spec of specs) this.add(spec)
  }

  add(spec: FaultSpec): string {
    const id = `fault-${++this.lastId}`
    this.entries.push({ id, spec, met: 0, struck: 0, draw: spec.seed ?? 1 })
    return id
  }

  remove(id: string): "removed" | "unknown" {
    const index = this.entries.findIndex((entry) => entry.id === id)
    if (index === -1) return "unknown"
    this.entries.splice(index, 1)
    return "removed"
  }

  clear(): void {
    this.entries.length = 0
  }

  list(): ReadonlyArray<StandingFault> {
    return this.entries.map(({ id, met, spec, struck }) => ({ id, spec, met, struck }))
  }

  strike(call: CallSubject): ReadonlyArray<FaultSpec> {
    const struck: Array<FaultSpec> = []
    for (const entry of this.entries) {
      if (isSpent(entry) || !concerns(entry.spec, call)) continue
      entry.met++
      if (entry.met <= (entry.spec.skip ?? 0)) continue
      if (entry.spec.probability !== undefined && draw(entry) >= entry.spec.probability) continue
      entry.struck++
      struck.push(entry.spec)
    }
    return struck
  }
}
