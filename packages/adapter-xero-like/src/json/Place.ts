/** An object of the export with its place. Finds fields in any spelling. */
import { withoutPlainBlanks } from "@fiscal-connector/core/document/TextEdges"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import {
  indexOf,
  isArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  JsonObject,
  nameOf
} from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { parse } from "@fiscal-connector/adapter-kit/unstable/json/JsonParser"
import { child } from "@fiscal-connector/adapter-kit/unstable/json/Pointer"
import { FieldRecord } from "@fiscal-connector/adapter-kit/unstable/item/FieldRecord"
import { JsonOrigin } from "@fiscal-connector/adapter-kit/unstable/item/Origin"
import { Result } from "effect"

/** A field: its key in the API, and all names (see `nameOf`) in exports, the most likely first. */
export interface JsonField {
  readonly key: string
  readonly names: ReadonlyArray<string>
}

/** Makes a field from its key and further keys. */
export const field = (...keys: readonly [string, ...ReadonlyArray<string>]): JsonField => ({
  key: keys[0],
  names: keys.map(nameOf)
})

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : isJsonNumber(value) ? value.text : undefined

/** Returns a string or number as text without surrounding white space; undefined if blank. */
export const trimmedText = (value: Json | undefined): string | undefined => textOf(value)?.trim() || undefined

const blank = 0x20

export class JsonPlace {
  readonly file: string
  readonly pointer: string
  readonly object: JsonObject
  /** Fields of all objects at this place of the export. */
  readonly fields: FieldRecord

  constructor(file: string, pointer: string, object: JsonObject, fields = new FieldRecord()) {
    this.file = file
    this.pointer = pointer
    this.object = object
    this.fields = fields
  }

  /** Parses a kept record again, with its original lines. */
  static restored(record: JsonOrigin): JsonPlace {
    const value = Result.getOrUndefined(parse(record.json, record.line))
    return new JsonPlace(record.file, record.pointer, isJsonObject(value) ? value : new JsonObject(record.line))
  }

  /**
   * Returns the record as text, for the places of its values and for writing back. The parsed form
   * takes ten times the memory.
   */
  kept(): JsonOrigin {
    return new JsonOrigin(this.file, this.object.line, this.pointer, "", this.object.text)
  }

  get here(): Provenance {
    return { file: this.file, line: this.object.line, ...(this.pointer !== "" && { pointer: this.pointer }) }
  }

  /**
   * Returns the place of a field, even of a missing field, with its text if the value is a string
   * or number.
   */
  at({ key, names }: JsonField): Provenance {
    const index = indexOf(this.object, names)
    const text = textOf(this.object.values[index])
    return {
      file: this.file,
      line: this.object.lines[index] ?? this.object.line,
      pointer: child(this.pointer, this.object.keys[index] ?? key),
      ...(text !== undefined && { text })
    }
  }

  has({ names }: JsonField): boolean {
    return names.some((name) => this.object.names.includes(name))
  }

  /** Returns the field's value; undefined for null. */
  value({ names }: JsonField): Json | undefined {
    const index = indexOf(this.object, names)
    const key = this.object.keys[index]
    if (key !== undefined) this.fields.at(key).mark("read")
    return this.object.values[index] ?? undefined
  }

  /** Returns a string or number as text without surrounding white space; undefined if blank. */
  text(field: JsonField): string | undefined {
    return trimmedText(this.value(field))
  }

  /**
   * Returns a key without surrounding plain white space; undefined if blank. Invisible characters
   * stay, so that a later check can find them.
   */
  key(field: JsonField): string | undefined {
    const text = textOf(this.value(field))
    if (text === undefined || text === "") return undefined
    const isBare = text.charCodeAt(0) > blank && text.charCodeAt(text.length - 1) > blank
    return isBare ? text : withoutPlainBlanks(text) || undefined
  }

  /** Returns the text in upper case, like the API's enumerations. */
  upperCase(field: JsonField): string | undefined {
    return this.text(field)?.toUpperCase()
  }

  /** Returns true if the field is true, as JSON or as text. */
  is(field: JsonField): boolean {
    const value = this.value(field)
    return value === true || (typeof value === "string" && value.trim().toLowerCase() === "true")
  }

  /** Returns the object in the field. */
  inner(field: JsonField): JsonPlace | undefined {
    const value = this.value(field)
    return isJsonObject(value) ? new JsonPlace(this.file, this.pointerOf(field), value, this.below(field)) : undefined
  }

  /** Returns the objects in the field's list, without other elements. */
  list(field: JsonField): ReadonlyArray<JsonPlace> {
    const value = this.value(field)
    if (!isArray(value)) return []
    const pointer = this.pointerOf(field)
    const fields = this.below(field)
    return value.flatMap((element, i) =>
      isJsonObject(element) ? [new JsonPlace(this.file, child(pointer, i), element, fields)] : []
    )
  }

  private below({ key, names }: JsonField): FieldRecord {
    return this.fields.at(this.object.keys[indexOf(this.object, names)] ?? key)
  }

  private pointerOf({ key, names }: JsonField): string {
    return child(this.pointer, this.object.keys[indexOf(this.object, names)] ?? key)
  }
}
