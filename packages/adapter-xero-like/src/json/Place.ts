/** An object of the export with its place. Finds fields in any spelling. */
import { type Provenance, TextEdges } from "@fiscal-connector/core/adapter"
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

export interface JsonField {
  readonly key: string
  readonly names: ReadonlyArray<string>
}

export const field = (...keys: readonly [string, ...ReadonlyArray<string>]): JsonField => ({
  key: keys[0],
  names: keys.map(nameOf)
})

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : isJsonNumber(value) ? value.text : undefined

export const trimmedText = (value: Json | undefined): string | undefined => textOf(value)?.trim() || undefined

const blank = 0x20

export class JsonPlace {
  readonly file: string
  readonly pointer: string
  readonly object: JsonObject
  readonly fields: FieldRecord

  constructor(file: string, pointer: string, object: JsonObject, fields = new FieldRecord()) {
    this.file = file
    this.pointer = pointer
    this.object = object
    this.fields = fields
  }

  static restored(record: JsonOrigin): JsonPlace {
    const value = Result.getOrUndefined(parse(record.json, record.line))
    return new JsonPlace(record.file, record.pointer, isJsonObject(value) ? value : new JsonObject(record.line))
  }

  /** For places and for writing back. The parsed form takes ten times the memory. */
  kept(): JsonOrigin {
    return new JsonOrigin(this.file, this.object.line, this.pointer, "", this.object.text)
  }

  get here(): Provenance.Provenance {
    return { file: this.file, line: this.object.line, ...(this.pointer !== "" && { pointer: this.pointer }) }
  }

  /** Even of a missing field, with its text if the value is a string or number. */
  at({ key, names }: JsonField): Provenance.Provenance {
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

  value({ names }: JsonField): Json | undefined {
    const index = indexOf(this.object, names)
    const key = this.object.keys[index]
    if (key !== undefined) this.fields.at(key).mark("read")
    return this.object.values[index] ?? undefined
  }

  text(field: JsonField): string | undefined {
    return trimmedText(this.value(field))
  }

  /** Undefined if blank. Invisible characters stay, so that a later check can find them. */
  key(field: JsonField): string | undefined {
    const text = textOf(this.value(field))
    if (text === undefined || text === "") return undefined
    const isBare = text.charCodeAt(0) > blank && text.charCodeAt(text.length - 1) > blank
    return isBare ? text : TextEdges.withoutPlainBlanks(text) || undefined
  }

  upperCase(field: JsonField): string | undefined {
    return this.text(field)?.toUpperCase()
  }

  is(field: JsonField): boolean {
    const value = this.value(field)
    return value === true || (typeof value === "string" && value.trim().toLowerCase() === "true")
  }

  inner(field: JsonField): JsonPlace | undefined {
    const value = this.value(field)
    return isJsonObject(value) ? new JsonPlace(this.file, this.pointerOf(field), value, this.below(field)) : undefined
  }

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
