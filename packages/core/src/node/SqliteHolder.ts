/** Who holds a lane on one machine: host, process and a random mark, so that the lane of a killed process is free at once. */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"

/** A name no other worker has, and how to tell that the worker of a name is gone: `SubmitterOptions.holder`. */
/** Who works a store on this machine. */
export interface Holder {
  readonly name: string
  readonly presumedDead: (name: string) => boolean
}

/** A process on its host, and how to tell that another one there has ended. */
export interface HostProcess {
  readonly host: string
  readonly pid: number
  readonly isGone: (pid: number) => boolean
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH"
  }
}

/**
 * A process on another host is never presumed dead; one whose number is in use again is taken for alive and its lease runs out. Presuming
 * wrongly sends nothing twice: fencing stops the other, and what it had in flight is Unknown until it answers. `mark`: what tells the
 * process from an earlier one of its number.
 */
export const make = ({ host, isGone, pid }: HostProcess, mark: string): Holder => ({
  name: `${host}/${pid}/${mark}`,
  presumedDead: (name) => {
    const [itsHost, itsPid] = name.split("/")
    return itsHost === host && itsPid !== undefined && /^\d+$/.test(itsPid) && isGone(Number(itsPid))
  }
})

/** This process. */
export const holder: Holder = make({ host: hostname(), pid: process.pid, isGone }, randomUUID().slice(0, 8))
