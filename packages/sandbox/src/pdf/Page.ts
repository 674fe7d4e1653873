/**
 * A plain PDF: a heading and lines of text.
 */
import * as Effect from "effect/Effect"
import Pdf from "pdfkit"

// The standard fonts know Latin-1 only; a PDF that shows a question mark is better than one that fails.
const latin = (text: string): string => text.replace(/[^\u0020-\u00ff]/g, "?")

/** Bytes of a PDF; long bodies go on over as many pages as they need. */
export const render = (heading: string, body: ReadonlyArray<string>): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    const pdf = new Pdf({ size: "A4", margin: 50, info: { Title: latin(heading) } })
    const chunks: Array<Buffer> = []
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk))
    pdf.on("end", () => resume(Effect.succeed(Buffer.concat(chunks))))
    pdf.fontSize(16).text(latin(heading)).moveDown().fontSize(10)
    for (const line of body) pdf.text(line === "" ? " " : latin(line))
    pdf.end()
  })
