/** How much old garbage V8 lets pile up before it collects it, as a share of what is alive; left to itself, several times that (docs/decisions/014). */
import { setFlagsFromString } from "node:v8"

const allow = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)

/** As much as is alive. Of what a start makes most stays: collecting it more often would find little. */
export const otherwise = (): void => allow(100)

/** Half as much: what a plan reads is alive for a moment, and what piles up of it over a million rows is most of what is resident. */
export const whilePlanning = (): void => allow(50)
