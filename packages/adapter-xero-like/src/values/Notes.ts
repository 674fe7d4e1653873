import { Finding, type FindingCode, type Money, type Provenance } from "@fiscal-connector/core/adapter"
import { decimalOf, longestNumber } from "@fiscal-connector/adapter-kit/unstable/json/DecimalText"
import { isArray, isJsonObject } from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { type JsonField, type JsonPlace, trimmedText } from "../json/Place.ts"
import { XeroFinding } from "../finding/XeroFinding.ts"

export class XeroNotes {
  readonly findings: Array<Finding.Finding> = []

  add(
    code: FindingCode.FindingCode,
    path: Finding.Path,
    at: Provenance.Provenance,
    particulars: Pick<Finding.Particulars, "message" | "detail" | "answers" | "fix"> = {}
  ): void {
    this.findings.push(Finding.make(code, { ...particulars, path, at }))
  }

  text(place: JsonPlace, field: JsonField, path: Finding.Path, ...below: Finding.Path): string | undefined {
    const value = place.value(field)
    if (typeof value === "boolean" || isArray(value) || isJsonObject(value)) {
      this.add(XeroFinding.XERO_VALUE_FORM, [...path, ...below], place.at(field), {
        message: `${field.key} is neither text nor number`
      })
    }
    return trimmedText(value)
  }

  amount(place: JsonPlace, field: JsonField, path: Finding.Path, ...below: Finding.Path): Money.Money | undefined {
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

  objects(place: JsonPlace, field: JsonField, path: Finding.Path): "sound" | "malformed" {
    const value = place.value(field)
    const isSound = value === undefined || (isArray(value) && value.every(isJsonObject))
    return isSound ? "sound" : this.malformed(place, field, path, `${field.key} is not a list of objects`)
  }

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
