/** The code that confirms the first use of a live device by a store. */
import { createHash } from "node:crypto"

/** `1001-7F3A`: made from the device and the store's own random id, so that a code left in a script confirms nothing for a new store. */
export const code = (store: string, deviceId: number, serial: string | null): string => {
  const digest = createHash("sha256")
    .update(JSON.stringify([store, deviceId, serial]))
    .digest("hex")
  return `${deviceId}-${digest.slice(0, 4).toUpperCase()}`
}
