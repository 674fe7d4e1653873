/** Code that confirms the first use of a live device by a store. */
import { createHash } from "node:crypto"

/**
 * Returns a code such as `1001-7F3A`, made from the device and the store's random id. A code left
 * in a script therefore confirms nothing for a new store.
 */
export const code = (store: string, deviceId: number, serial: string | null): string => {
  const digest = createHash("sha256")
    .update(JSON.stringify([store, deviceId, serial]))
    .digest("hex")
  return `${deviceId}-${digest.slice(0, 4).toUpperCase()}`
}
