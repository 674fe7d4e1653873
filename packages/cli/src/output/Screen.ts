/** The terminal that output goes to: how wide it is, and whether it shows colours. */
import type { StateTone } from "@fiscal-connector/core/unstable/submission/StateTone"
import { Context } from "effect"
import { styled } from "./Terminal.ts"

export interface ScreenShape {
  /** In columns; undefined where output is no terminal and nobody says how wide it is. */
  readonly width: number | undefined
  readonly colour: "shown" | "none"
}

/** What is taken where the output goes into a file or a pipe. */
export const plainScreen: ScreenShape = { width: undefined, colour: "none" }

/** `COLUMNS` counts where there is no terminal; NO_COLOR and TERM=dumb as everywhere. */
export const of = (
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>
): ScreenShape => {
  const said = Number(env["COLUMNS"])
  const columns = stream.columns ?? (Number.isInteger(said) && said > 0 ? said : undefined)
  const isColoured = stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb"
  return { width: columns, colour: isColoured ? "shown" : "none" }
}

export class Screen extends Context.Reference<ScreenShape>("fiscal-connector/output/Screen", {
  defaultValue: () => plainScreen
}) {}

/** Returns the screen that a stream writes to. The width is read each time it is asked for: the user can make a terminal wider while a command runs. */
export const live = (...[stream, env]: Parameters<typeof of>): ScreenShape => ({
  get width() {
    return of(stream, env).width
  },
  colour: of(stream, env).colour
})

const codes: Readonly<Record<StateTone, number>> = { good: 32, bad: 31, waiting: 33 }

export const toned = (text: string, tone: StateTone | undefined, { colour }: ScreenShape): string =>
  tone === undefined || colour === "none" ? text : styled(text, codes[tone])
