/**
 * Event parser for one XML part of a workbook. The part must be well-formed, in one namespace and
 * within limits; anything else is refused.
 */
import { SaxesParser } from "saxes"
import { TextDecoder } from "node:util"
import { damaged, Refusal, tooMuch } from "../Refusal.ts"

/**
 * Receiver of a part's events. Names are local names of the part's own namespace; elements of other
 * namespaces are omitted.
 */
export interface Handler {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  text(text: string): void
  foreign?(name: string): void
}

const limits = { depth: 256, silence: 1 << 20 }

const strict = /^http:\/\/purl\.oclc\.org\/ooxml\//

export type Ended = () => boolean

/** Parses the part and calls the handler. Rejects with a `Refusal`. */
export const read = async (
  part: string,
  namespace: string,
  bytes: AsyncIterable<Uint8Array>,
  handler: Handler,
  ended: Ended = () => false
): Promise<void> => {
  const xml = new SaxesParser<{ readonly position: false; readonly xmlns: false }>({ position: false, xmlns: false })
  let prefix: string | undefined
  let depth = 0
  let events = 0
  const local = (name: string): string | undefined => {
    const own = prefix === "" ? name : name.startsWith(prefix!) ? name.slice(prefix!.length) : ":"
    return own.includes(":") ? undefined : own
  }
  xml.on("doctype", () => {
    throw new Refusal(`its part ${part} declares a document type, which workbooks never do`, "Do not open it")
  })
  xml.on("xmldecl", ({ encoding = "utf-8" }) => {
    if (!/^utf-?(8|16)$/i.test(encoding)) throw damaged(`its part ${part} is in the encoding ${encoding}`)
  })
  xml.on("error", ({ message }) => {
    throw damaged(`its part ${part} is damaged (${message})`)
  })
  xml.on("opentag", ({ attributes, name }) => {
    events++
    prefix ??= prefixOf(part, namespace, attributes)
    if (++depth > limits.depth) throw tooMuch(`its part ${part} is nested more than ${limits.depth} deep`)
    const own = local(name)
    if (own === undefined) handler.foreign?.(name)
    else handler.open(own, attributes)
  })
  xml.on("closetag", ({ name }) => {
    events++
    depth--
    const own = local(name)
    if (own !== undefined) handler.close(own)
  })
  xml.on("text", (text) => handler.text(text))
  xml.on("cdata", (text) => handler.text(text))
  let decoder: TextDecoder | undefined
  let silent = 0
  try {
    for await (const chunk of bytes) {
      decoder ??= decoderOf(chunk)
      const before = events
      xml.write(decoder.decode(chunk, { stream: true }))
      // the parser buffers text until the next tag
      silent = events === before ? silent + chunk.length : 0
      if (silent > limits.silence) throw tooMuch(`its part ${part} has more than 1 MiB without an element`)
      if (ended()) return
    }
    xml.write((decoder ?? decoderOf(new Uint8Array())).decode()).close()
  } catch (error) {
    if (error instanceof TypeError) throw damaged(`its part ${part} holds bytes that are no text`)
    throw error
  }
}

const prefixOf = (part: string, namespace: string, attributes: Readonly<Record<string, string>>): string => {
  const declared = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name))
  const own = declared.find(([, value]) => value === namespace)
  if (own !== undefined) return own[0] === "xmlns" ? "" : `${own[0].slice("xmlns:".length)}:`
  throw declared.some(([, value]) => strict.test(value))
    ? strictOpenXml()
    : damaged(`its part ${part} is not what a workbook has there`)
}

export const strictOpenXml = () =>
  new Refusal(
    "this is a Strict Open XML workbook",
    'Save it as an ordinary "Excel Workbook (.xlsx)", which is another choice in the same list'
  )

const decoderOf = ([first, second]: Uint8Array): TextDecoder => {
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
  return new TextDecoder(encoding, { fatal: true })
}
