/** Who holds a lane on one machine: host, process and a random mark, so that the lane of a killed process is free at once. */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH"
  }
}

/**
 * For `SubmitterOptions.holder`. A process on another host is never presumed dead; one whose number is in use again is taken for alive and
 * its lease runs out. Presuming wrongly sends nothing twice: fencing stops the other, and what it had in flight is Unknown until it answers.
 */
export const holder: { readonly name: string; readonly presumedDead: (name: string) => boolean } = {
  name: `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`,
  presumedDead: (name) => {
    const [host, pid] = name.split("/")
    return host === hostname() && pid !== undefined && /^\d+$/.test(pid) && isGone(Number(pid))
  }
}
