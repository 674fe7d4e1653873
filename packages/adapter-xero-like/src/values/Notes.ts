/**
 * Reads values of one document and collects findings. An unreadable value is omitted, and the
 * reading continues.
 */
import type { Money } from "@fiscal-connector/core/document/Money"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import { decimalOf, longestNumber } from "@fiscal-connector/adapter-kit/unstable/json/DecimalText"
import { isArray, isJsonObject } from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { type JsonField, type JsonPlace, trimmedText } from "../json/Place.ts"
import { XeroFinding } from "../finding/XeroFinding.ts"

export class XeroNotes {
  readonly findings: Array<Finding.Finding> = []

  add(
    code: FindingCode,
    path: Finding.Path,
    at: Provenance,
    particulars: Pick<Finding.Particulars, "message" | "detail" | "answers" | "fix"> = {}
  ): void {
    this.findings.push(Finding.make(code, { ...particulars, path, at }))
  }

  /** Reads a text. `below`: end of the value's path. */
  text(place: JsonPlace, field: JsonField, path: Finding.Path, ...below: Finding.Path): string | undefined {
    const value = place.value(field)
    if (typeof value === "boolean" || isArray(value) || isJsonObject(value)) {
      this.add(XeroFinding.XERO_VALUE_FORM, [...path, ...below], place.at(field), {
        message: `${field.key} is neither text nor number`
      })
    }
    return trimmedText(value)
  }

  amount(place: JsonPlace, field: JsonField, path: Finding.Path, ...below: Finding.Path): Money | undefined {
    const text = this.text(place, field, path, ...below)
    if (text === undefined) return undefined
    const amount = decimalOf(text)
    if (amount === undefined) {
      this.add(XeroFinding.XERO_NUMBER_FORM, [...path, ...below], place.at(field), {
        detail: `${field.key}: ${text.slice(0, longestNumber)}`
      })
    }
    return amount
  }

  /** Checks that a field is a list of objects, and reports anything else. */
  objects(place: JsonPlace, field: JsonField, path: Finding.Path): "sound" | "malformed" {
    const value = place.value(field)
    const isSound = value === undefined || (isArray(value) && value.every(isJsonObject))
    return isSound ? "sound" : this.malformed(place, field, path, `${field.key} is not a list of objects`)
  }

  /** Checks that a field is an object, and reports anything else. */
  object(place: JsonPlace, field: JsonField, path: Finding.Path): "sound" | "malformed" {
    const value = place.value(field)
    const isSound = value === undefined || isJsonObject(value)
    return isSound ? "sound" : this.malformed(place, field, path, `${field.key} is not an object`)
  }

  private malformed(place: JsonPlace, field: JsonField, path: Finding.Path, message: string): "malformed" {
    this.add(XeroFinding.XERO_VALUE_FORM, path, place.at(field), { message })
    return "malformed"
  }
}
