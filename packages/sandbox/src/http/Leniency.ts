/**
 * Accepts input beyond the documented interface if so configured: published connectors send such
 * input, and a gateway may accept it.
 */
import * as BigDecimal from "effect/BigDecimal"
import type { SandboxConfig } from "../SandboxConfig.ts"
import type * as ExactJson from "../wire/ExactJson.ts"
import * as Zone from "../wire/Zone.ts"

type Json = ExactJson.ExactJson
type Fields = { readonly [key: string]: Json }

const isObject = (json: Json): json is Fields =>
  typeof json === "object" && json !== null && !Array.isArray(json) && !BigDecimal.isBigDecimal(json)

const isCivil = (json: Json | undefined): json is string =>
  typeof json === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?$/.test(json)

/**
 * Adds the offset to a Date under `dates: "offset-optional"`: the zone is that of the account's
 * device (DOC-17).
 */
export const dated =
  ({ dates }: SandboxConfig, zone: Zone.Zone) =>
  (json: Json): Json =>
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
  (json: Json): Json => {
    const buyer = isObject(json) ? json["BuyerContact"] : undefined
    const address = buyer !== undefined && isObject(buyer) ? buyer["Address"] : undefined
    if (addresses === "whole" || address === undefined || !isObject(address) || !parts.some((part) => address[part]))
      return json
    const filled = Object.fromEntries(parts.map((part) => [part, address[part] || " "]))
    return { ...(json as Fields), BuyerContact: { ...(buyer as Fields), Address: { ...address, ...filled } } }
  }

/**
 * Fills a missing, null or empty TaxName with the TaxCode under `taxNames: "optional"` (DOC-18).
 */
export const named =
  ({ taxNames }: SandboxConfig) =>
  (json: Json): Json =>
    taxNames === "optional" && isObject(json) && !json["TaxName"] && json["TaxCode"] !== undefined
      ? { ...json, TaxName: json["TaxCode"] }
      : json
