/**
 * Options for a time zone: the current setting first, then this computer's zone, then all by name.
 */
import { Flag, html, type Html } from "../../html/Html.ts"
import * as Texts from "../../text/Texts.ts"

const all: ReadonlyArray<string> = Intl.supportedValuesOf("timeZone")

export const zoneOptions = (chosen: string): Html => {
  const first = [...new Set([chosen, Texts.proposedZone()])]
  const option = (zone: string) =>
    html`<option value="${zone}" ${new Flag("selected", zone === chosen)}>${zone.replaceAll("_", " ")}</option>`
  return html`${first.map(option)}${all.filter((zone) => !first.includes(zone)).map(option)}`
}
