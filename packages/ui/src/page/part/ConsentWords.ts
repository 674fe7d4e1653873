/** The words that the operator types before a live device is used. */
import type { Destination, StopReason } from "@fiscal-connector/core/session"
import { Lane } from "@fiscal-connector/core/store"
import { html, type Html } from "../../html/Html.ts"
import * as Texts from "../../text/Texts.ts"
import { field } from "./Form.ts"

const texts = Texts.page

/** Decisions after which the documents are sent again. */
export const sends: ReadonlySet<string> = new Set(["NotProcessed", "Resend"])

/**
 * Returns the fields. Nothing for a device that is not live. `first`: first use of the device.
 * `empty`: `allowed` beside other choices, which do not ask the number.
 */
export const consentWords = (
  destination: Pick<Destination.Destination, "environment" | "lane">,
  first: Extract<StopReason.StopReason, { readonly _tag: "FirstUse" }> | undefined,
  empty: "refused" | "allowed" = "refused"
): Html => {
  if (destination.environment !== "live") return html``
  return html`<p><b>${texts.consentLive}</b> <span class="soft small">${texts.consent}</span></p>
    ${field("device", texts.consentDevice(Lane.deviceOf(destination.lane)), "numeric", empty)}
    ${
      first === undefined
        ? null
        : html`<p class="soft small">${texts.firstUse}</p>
            ${field("first-use", texts.firstUseCode(first.code))}`
    }`
}

/** Typing the number of a live device is the consent. */
export const consentOf = (
  destination: Pick<Destination.Destination, "environment" | "lane">,
  typed: string | undefined
): "allowed" | "not-needed" | "other-device" =>
  destination.environment !== "live"
    ? "not-needed"
    : typed?.trim() === Lane.deviceOf(destination.lane)
      ? "allowed"
      : "other-device"
