/**
 * A record of the export, kept as text. Documents need the record for the places of values, and for
 * writing back. The parsed form takes ten times the memory and is parsed again on demand.
 */
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import { Result } from "effect"
import { JsonObject } from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { parse } from "@fiscal-connector/adapter-kit/unstable/json/JsonParser"
import { Place } from "../json/Place.ts"

export interface Kept {
  readonly file: string
  readonly pointer: string
  readonly line: number
  readonly text: string
}

export const keep = ({ file, object, pointer }: Place): Kept => ({
  file,
  pointer,
  line: object.line,
  text: object.text
})

export const here = ({ file, line, pointer }: Kept): Provenance => ({ file, line, ...(pointer !== "" && { pointer }) })

/** Parses the record again, with its original lines. */
export const restore = ({ file, line, pointer, text }: Kept): Place => {
  const value = Result.getOrUndefined(parse(text, line))
  return new Place(file, pointer, value instanceof JsonObject ? value : new JsonObject(line))
}
