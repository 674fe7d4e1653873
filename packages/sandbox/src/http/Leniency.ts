/** Published connectors send such input, and a gateway may accept it. */
import * as BigDecimal from "effect/BigDecimal"
import type { SandboxConfig } from "../SandboxConfig.ts"
import type * as ExactJson from "../wire/ExactJson.ts"
import * as Zone from "../wire/Zone.ts"

type LenientJson = ExactJson.ExactJson
type JsonFields = { readonly [key: string]: LenientJson }

const isObject = (json: LenientJson): json is JsonFields =>
  typeof json === "object" && json !== null && !Array.isArray(json) && !BigDecimal.isBigDecimal(json)

const isCivil = (json: LenientJson | undefined): json is string =>
  typeof json === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?$/.test(json)

/**
 * Adds the offset to a Date under `dates: "offset-optional"`: the zone is that of the account's
 * device (DOC-17).
 */
export const dated =
  ({ dates }: SandboxConfig, zone: Zone.Zone) =>
  (json: LenientJson): LenientJson =>
    dates === "offset-optional" && isObject(json) && isCivil(json["Date"])
      ? { ...json, Date: `${json["Date"]}${Zone.offsetAt(zone, json["Date"])}` }
      : json

const parts = ["Province", "Street", "HouseNo", "City"]

/**
 * Fills an incomplete address under `addresses: "parts-optional"`: a blank replaces each missing
 * part (DOC-11).
 */
export const addressed =
  ({ addresses }: SandboxConfig) =>
  (json: LenientJson): LenientJson => {
    const buyer = isObject(json) ? json["BuyerContact"] : undefined
    const address = buyer !== undefined && isObject(buyer) ? buyer["Address"] : undefined
    if (addresses === "whole" || address === undefined || !isObject(address) || !parts.some((part) => address[part]))
      return json
    const filled = Object.fromEntries(parts.map((part) => [part, address[part] || " "]))
    return { ...(json as JsonFields), BuyerContact: { ...(buyer as JsonFields), Address: { ...address, ...filled } } }
  }

/**
 * Fills a missing, null or empty TaxName with the TaxCode under `taxNames: "optional"` (DOC-18).
 */
export const named =
  ({ taxNames }: SandboxConfig) =>
  (json: LenientJson): LenientJson =>
    taxNames === "optional" && isObject(json) && !json["TaxName"] && json["TaxCode"] !== undefined
      ? { ...json, TaxName: json["TaxCode"] }
      : json
