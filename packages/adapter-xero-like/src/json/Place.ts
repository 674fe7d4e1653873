/** An object of the export with the place where it stands, its fields found whatever their spelling. */
import { withoutPlainBlanks } from "@fiscal-connector/core/document/TextEdges"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import {
  indexOf,
  isArray,
  type Json,
  JsonNumber,
  JsonObject,
  nameOf
} from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { child } from "@fiscal-connector/adapter-kit/unstable/json/Pointer"

/** A field by the key the API gives it, and by every name (see `nameOf`) under which exports carry it, the likeliest first. */
export interface Field {
  readonly key: string
  readonly names: ReadonlyArray<string>
}

/** A field known by its key and, after it, by other keys. */
export const field = (...keys: readonly [string, ...ReadonlyArray<string>]): Field => ({
  key: keys[0],
  names: keys.map(nameOf)
})

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : value instanceof JsonNumber ? value.text : undefined

/** A string or number as text, without white space around it; blank is none. */
export const trimmedText = (value: Json | undefined): string | undefined => textOf(value)?.trim() || undefined

const blank = 0x20

export class Place {
  readonly file: string
  readonly pointer: string
  readonly object: JsonObject

  constructor(file: string, pointer: string, object: JsonObject) {
    this.file = file
    this.pointer = pointer
    this.object = object
  }

  get here(): Provenance {
    return { file: this.file, line: this.object.line, ...(this.pointer !== "" && { pointer: this.pointer }) }
  }

  /** Where a field stands, or would stand, with its text if it is a string or number. */
  at({ key, names }: Field): Provenance {
    const index = indexOf(this.object, names)
    const text = textOf(this.object.values[index])
    return {
      file: this.file,
      line: this.object.lines[index] ?? this.object.line,
      pointer: child(this.pointer, this.object.keys[index] ?? key),
      ...(text !== undefined && { text })
    }
  }

  has({ names }: Field): boolean {
    return names.some((name) => this.object.names.includes(name))
  }

  /** The field's value; null counts as none. */
  value({ names }: Field): Json | undefined {
    return this.object.values[indexOf(this.object, names)] ?? undefined
  }

  /** A string or number as text, without white space around it; blank is none. */
  text(field: Field): string | undefined {
    return trimmedText(this.value(field))
  }

  /** A key: only plain white space round it is taken off, so that what nobody sees stays to be found; blank is none. */
  key(field: Field): string | undefined {
    const text = textOf(this.value(field))
    if (text === undefined || text === "") return undefined
    const isBare = text.charCodeAt(0) > blank && text.charCodeAt(text.length - 1) > blank
    return isBare ? text : withoutPlainBlanks(text) || undefined
  }

  /** A text in upper case, as the API writes its enumerations. */
  word(field: Field): string | undefined {
    return this.text(field)?.toUpperCase()
  }

  /** Whether the field is true, as JSON or as text. */
  is(field: Field): boolean {
    const value = this.value(field)
    return value === true || (typeof value === "string" && value.trim().toLowerCase() === "true")
  }

  /** The object that is the field's value. */
  inner(field: Field): Place | undefined {
    const value = this.value(field)
    return value instanceof JsonObject ? new Place(this.file, this.pointerOf(field), value) : undefined
  }

  /** The objects in the list that is the field's value; anything else in it is left out. */
  list(field: Field): ReadonlyArray<Place> {
    const value = this.value(field)
    if (!isArray(value)) return []
    const pointer = this.pointerOf(field)
    return value.flatMap((element, i) =>
      element instanceof JsonObject ? [new Place(this.file, child(pointer, i), element)] : []
    )
  }

  private pointerOf({ key, names }: Field): string {
    return child(this.pointer, this.object.keys[indexOf(this.object, names)] ?? key)
  }
}
