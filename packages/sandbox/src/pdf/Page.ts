import * as Effect from "effect/Effect"
import Pdf from "pdfkit"

// The standard fonts contain Latin-1 only; a question mark is better than a failure.
const latin = (text: string): string => text.replace(/[^\u0020-\u00ff]/g, "?")

/** Returns the bytes of a PDF; a long body continues on further pages. */
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
