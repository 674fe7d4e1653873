/** Leaks of one test file: the planted texts found in its output, with their places. */
import { type Allowed, allowed } from "./Allowed.ts"
import { found, type Planted } from "./Planted.ts"

/** Kind of output. */
export type Kind = "log" | "span" | "metric" | "console" | "process" | "error" | "file" | "table"

export interface Leak extends Planted {
  readonly kind: Kind
  /** Log text, path of the file, or table and column. */
  readonly where: string
}

const kept = new Map<string, Leak>()

const isAllowed = (kind: Kind, where: string, { what }: Planted) =>
  allowed.some((place: Allowed) => place.kind === kind && place.may.includes(what) && place.where.test(where))

/** Records the planted texts in a content, unless permitted. `where` defaults to the content. */
export const saw = (kind: Kind, content: string | Uint8Array, where?: string): void => {
  for (const planted of found(content)) {
    const place = where ?? String(content).slice(0, 300)
    if (!isAllowed(kind, place, planted))
      kept.set(`${kind} ${planted.text} ${place}`, { ...planted, kind, where: place })
  }
}

/** Returns the leaks since the last call. */
export const taken = (): ReadonlyArray<Leak> => {
  const leaks = [...kept.values()]
  kept.clear()
  return leaks
}

export const sentence = ({ kind, text, what, where }: Leak): string =>
  `the ${what} “${text}” came out in a ${kind}: ${where}`
