/** QR code of a receipt as an image, for a screen and for paper. */
import { encode } from "uqr"
import { fixed, type Html } from "./Html.ts"

/**
 * Returns the link if it is usable. Links from the gateway are untrusted text: only https becomes a
 * code. Null without a link, or for a link longer than 1500 characters, too much for a code.
 */
export const linkOf = (url: string | null): string | null => {
  if (url === null || url.length > 1500) return null
  return URL.parse(url)?.protocol === "https:" ? url : null
}

const path = (rows: ReadonlyArray<ReadonlyArray<boolean>>): string =>
  rows
    .map((row, y) => {
      const dark = row.map((isDark) => (isDark ? "1" : "0")).join("")
      return Array.from(dark.matchAll(/1+/g), ({ 0: run, index: x }) => `M${x} ${y}h${run.length}v1H${x}z`).join("")
    })
    .join("")

/**
 * Returns the image with the quiet zone of four modules required by readers. Null for an unusable
 * link.
 */
export const picture = (url: string | null): Html | null => {
  const link = linkOf(url)
  if (link === null) return null
  const { data, size } = encode(link, { ecc: "M", border: 4 })
  return fixed(
    `<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the receipt" shape-rendering="crispEdges"><path class="qr-paper" d="M0 0h${size}v${size}H0z"/><path class="qr-ink" d="${path(data)}"/></svg>`
  )
}
