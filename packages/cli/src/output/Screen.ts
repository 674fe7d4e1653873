import type { OutcomeRecord } from "@fiscal-connector/core/host"
import { Context } from "effect"
import { styled } from "./Terminal.ts"

export interface ScreenShape {
  readonly width: number | undefined
  readonly color: "shown" | "none"
}

export const plainScreen: ScreenShape = { width: undefined, color: "none" }

export const of = (
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>
): ScreenShape => {
  const configured = Number(env["COLUMNS"])
  const columns = stream.columns ?? (Number.isInteger(configured) && configured > 0 ? configured : undefined)
  const isColored = stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb"
  return { width: columns, color: isColored ? "shown" : "none" }
}

export class Screen extends Context.Reference<ScreenShape>("fiscal-connector/output/Screen", {
  defaultValue: () => plainScreen
}) {}

/**
 * Returns the screen of a stream. Reads the width at each use, because the user can resize the
 * terminal while a command runs.
 */
export const live = (...[stream, env]: Parameters<typeof of>): ScreenShape => ({
  get width() {
    return of(stream, env).width
  },
  color: of(stream, env).color
})

const codes: Readonly<Record<OutcomeRecord.StateTone, number>> = { good: 32, bad: 31, waiting: 33 }

export const toned = (text: string, tone: OutcomeRecord.StateTone | undefined, { color }: ScreenShape): string =>
  tone === undefined || color === "none" ? text : styled(text, codes[tone])
