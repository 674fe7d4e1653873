/** The QR code of a receipt as a picture, for a screen and for paper. */
import { encode } from "uqr"
import { fixed, type Html } from "./Html.ts"

/** A link of the gateway is untrusted text: only https becomes a code. Null where there is none, or more text than a code holds. */
export const linkOf = (url: string | null): string | null => {
  if (url === null || url.length > 1500) return null
  return URL.parse(url)?.protocol === "https:" ? url : null
}

/** Modules that stand together in a row are one stroke. */
const path = (rows: ReadonlyArray<ReadonlyArray<boolean>>): string =>
  rows
    .map((row, y) => {
      let [strokes, x] = ["", 0]
      while (x < row.length) {
        const begin = x
        while (x < row.length && row[x] === true) x += 1
        if (x > begin) strokes += `M${begin} ${y}h${x - begin}v1H${begin}z`
        else x += 1
      }
      return strokes
    })
    .join("")

/** With the quiet zone of four modules that readers want; null where the link is none. */
export const picture = (url: string | null): Html | null => {
  const link = linkOf(url)
  if (link === null) return null
  const { data, size } = encode(link, { ecc: "M", border: 4 })
  return fixed(
    `<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the receipt" shape-rendering="crispEdges"><path class="qr-paper" d="M0 0h${size}v${size}H0z"/><path class="qr-ink" d="${path(data)}"/></svg>`
  )
}
