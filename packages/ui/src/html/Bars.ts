import { fixed, type Html } from "./Html.ts"
import { escape } from "./Html.ts"

export interface Bar {
  readonly parts: ReadonlyArray<{ readonly tone: "good" | "bad" | "waiting"; readonly count: number }>
}

export const plot = (bars: ReadonlyArray<Bar>, label: string): Html => {
  const sums = bars.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0))
  const most = Math.max(1, ...sums)
  const [width, height] = [10, 100]
  const rects = bars.flatMap(({ parts }, index) => {
    let top = height
    return parts.flatMap(({ count, tone }) => {
      const tall = (count / most) * (height - 4)
      top -= tall
      return count === 0
        ? []
        : [
            `<rect class="${tone}" x="${index * width + 1}" y="${top.toFixed(2)}" width="${width - 2}" height="${tall.toFixed(2)}"/>`
          ]
    })
  })
  return fixed(
    `<svg class="plot" viewBox="0 0 ${Math.max(1, bars.length) * width} ${height}" preserveAspectRatio="none" role="img" aria-label="${escape(label)}"><line x1="0" x2="${bars.length * width}" y1="${height}" y2="${height}"/>${rects.join("")}</svg>`
  )
}
