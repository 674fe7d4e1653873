/**
 * Old garbage that V8 allows before a collection, as a share of live memory; its default is several
 * times as much (docs/decisions/014).
 */
import { setFlagsFromString } from "node:v8"

const allow = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)

/**
 * As much as live memory. Most objects of a start survive, so more frequent collections would find
 * little.
 */
export const otherwise = (): void => allow(100)

/**
 * Half as much as live memory. Objects of a plan live only briefly, and over a million rows their
 * garbage is most of the resident memory.
 */
export const whilePlanning = (): void => allow(50)
