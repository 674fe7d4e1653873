/** Exports to read in tests: files of a folder, or made of a text. */
import type { Input, Reading } from "../../core/src/source/Adapter.ts"
import * as Money from "../../core/src/document/Money.ts"
import { BigDecimal, Stream } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const fixture = (name: string) => readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)))

export const exported = (...files: ReadonlyArray<readonly [name: string, content: string | Uint8Array]>): Input => ({
  files: files.map(([name, content]) => ({
    name,
    bytes: Stream.sync(() =>
      typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content)
    )
  }))
})

/** Returns the content of readings with figures as text, so that two readings can be compared. */
export const contentOf = (readings: ReadonlyArray<Reading>): unknown =>
  JSON.parse(
    JSON.stringify(readings, (_key, value: unknown) =>
      BigDecimal.isBigDecimal(value) ? Money.formatPlain(value) : value
    )
  )
