/** What came out of the tests of one file that must not: what was found, and where. */
import { type Allowed, allowed } from "./Allowed.ts"
import { found, type Planted } from "./Planted.ts"

/** Where something can come out. */
export type Kind = "log" | "span" | "metric" | "console" | "process" | "error" | "file" | "table"

export interface Leak extends Planted {
  readonly kind: Kind
  /** The line that was logged, the path of the file, the table and its column. */
  readonly where: string
}

const kept = new Map<string, Leak>()

const isAllowed = (kind: Kind, where: string, { what }: Planted) =>
  allowed.some((place: Allowed) => place.kind === kind && place.may.includes(what) && place.where.test(where))

/** Notes what is in there and may not be. `where` defaults to the content. */
export const saw = (kind: Kind, content: string | Uint8Array, where?: string): void => {
  for (const planted of found(content)) {
    const place = where ?? String(content).slice(0, 300)
    if (!isAllowed(kind, place, planted))
      kept.set(`${kind} ${planted.text} ${place}`, { ...planted, kind, where: place })
  }
}

/** What has been found since this was last asked. */
export const taken = (): ReadonlyArray<Leak> => {
  const leaks = [...kept.values()]
  kept.clear()
  return leaks
}

export const sentence = ({ kind, text, what, where }: Leak): string =>
  `the ${what} “${text}” came out in a ${kind}: ${where}`
