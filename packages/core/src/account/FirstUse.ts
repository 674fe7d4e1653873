/** Code that confirms the first use of a live device by a store. */
import { createHash } from "node:crypto"
import type { Acceptance } from "../submission/ledger/NewestAttempt.ts"

export interface FirstUser {
  readonly id: string
  /** Last acceptance of an older copy. Null if there was none. */
  readonly accepted: Acceptance | null
}

/**
 * As `1001-7F3A`, from the device, the store's random id and its last acceptance: a code left in a
 * script confirms nothing for a new store, and nothing for a store that went back to an older copy
 * and was accepted.
 */
export const code = ({ accepted, id }: FirstUser, deviceId: number, serial: string | null): string => {
  const digest = createHash("sha256")
    .update(JSON.stringify([id, accepted?.number ?? 0, accepted?.token ?? null, deviceId, serial]))
    .digest("hex")
  return `${deviceId}-${digest.slice(0, 4).toUpperCase()}`
}
