/** Parts of an SVG that follows the reader's light or dark setting. */

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** Text at a place; `kind` is a class of `picture`. */
export const label = (x: number, y: number, kind: string, text: string): string =>
  `<text x="${x}" y="${y}" class="${kind}" xml:space="preserve">${escaped(text)}</text>`

export const box = (x: number, y: number, width: number, height: number, kind: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" class="${kind}"/>`

export type Point = readonly [x: number, y: number]

/** Arrow between two points; `bend` moves the point that its middle is drawn to. */
export const arrow = ([fromX, fromY]: Point, [toX, toY]: Point, kind: string, [x, y]: Point = [0, 0]): string =>
  `<path d="M${fromX} ${fromY}Q${(fromX + toX) / 2 + x} ${(fromY + toY) / 2 + y} ${toX} ${toY}" class="arrow ${kind}" marker-end="url(#${kind})"/>`

/** Who moves a document, with the color of the arrow in light and dark. */
export const movers = {
  connector: { light: "#57606a", dark: "#9da7b1" },
  gateway: { light: "#1a7f37", dark: "#4ac26b" },
  operator: { light: "#bc4c00", dark: "#f0883e" },
  source: { light: "#0969da", dark: "#58a6ff" }
} as const

export type Mover = keyof typeof movers

const colors = (scheme: "light" | "dark"): string =>
  Object.entries(movers)
    .map(
      ([mover, of]) =>
        `.arrow.${mover}{stroke:${of[scheme]}}#${mover} path,.dot.${mover},.small.${mover}{fill:${of[scheme]}}`
    )
    .join("")

const light = `.ground{fill:#fff;stroke:#d0d7de}.box{fill:#f6f8fa;stroke:#57606a}.end{fill:#dafbe1;stroke:#1a7f37}.open{fill:#fff1e5;stroke:#bc4c00}text{fill:#1f2328}.small{fill:#57606a}.given{fill:#0550ae}${colors("light")}`
const dark = `.ground{fill:#0d1117;stroke:#3d444d}.box{fill:#161b22;stroke:#9da7b1}.end{fill:#12261e;stroke:#4ac26b}.open{fill:#2b1d12;stroke:#f0883e}text{fill:#e6edf3}.small{fill:#9da7b1}.given{fill:#79c0ff}${colors("dark")}`

const heads = Object.keys(movers)
  .map(
    (mover) =>
      `<marker id="${mover}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker>`
  )
  .join("")

/** Returns the whole picture. `title` is read to users who do not see it. */
export const picture = (
  width: number,
  height: number,
  title: string,
  parts: ReadonlyArray<string>,
  style = ""
): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>text{font:17px system-ui,-apple-system,"Segoe UI",sans-serif}.name{font-weight:600;font-size:20px}.middle{text-anchor:middle}.small{font-size:16px}.code{font:15px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}.arrow{fill:none;stroke-width:2}${light}@media(prefers-color-scheme:dark){${dark}}${style}</style>
<defs>${heads}</defs>
${box(1, 1, width - 2, height - 2, "ground")}
${parts.join("\n")}
</svg>
`
