/**
 * List of all texts that must never be output: keys and secrets that tests configure, and the
 * invented buyers of their documents. A test that needs a key, a secret or a buyer takes one from
 * here, or adds one: everything that tests write is searched for these texts (LeakScan.ts).
 */

export const key = "test-key-planted-1f8a"
export const secret = "test-secret-planted-9c2b"

/** Secrets of core's gateway tests, whose servers echo them in every place of an answer. */
export const echoedKey = "key-PLANTED-7f3a"
export const echoedSecret = "secret-PLANTED-91cc"

/** Buyer of the documents in the tests of core and promise, unless a test states another. */
export const buyer = "Ada Example"

export const secrets: ReadonlyArray<string> = [key, secret, echoedKey, echoedSecret]

/**
 * Names, addresses and numbers of the buyers in fixtures, examples and tests, each long enough to
 * be unique.
 */
export const buyers: ReadonlyArray<string> = [
  buyer,
  "ada@example.test",
  "Alice Buyer",
  "Planted Buyer",
  "Grace Planted",
  "Grace Zeldaplant",
  "Zażółć & Co",
  // examples/historical-invoices*
  "Baobab Hardware",
  "accounts@baobab.example",
  "+263 242 700 101",
  "Café Zoë",
  "hello@cafe-zoe.example",
  "2000223344",
  "Müller & Söhne",
  "2000334455",
  "Nyanga Tea Estates",
  "2000556677",
  "Smith, Jones & Partners",
  "office@sjp.example",
  "2000667788",
  "Société d’Eau Claire",
  "compta@eau-claire.example",
  "2000445566",
  "Tariro Moyo",
  "Żółć Ceramics",
  "2000778899",
  // examples/odoo-like.json, quickbooks-like.json, erpnext-like.json and the adapters' fixtures
  "Kestrel Tools",
  "Heron & Söhne",
  "Azure Interior",
  "Brandon Freeman",
  "Sonnenschein",
  "Mwamba & Söhne",
  "Amy's Bird Sanctuary",
  "Baobab Traders",
  "Moyo & Sons",
  "Mukwa Furniture",
  "Café Msasa"
]

export interface Planted {
  readonly what: "secret" | "buyer"
  readonly text: string
}

/**
 * Returns the text in all possible forms: UTF-8 and UTF-16, hexadecimal, and base64 at each
 * alignment among other bytes.
 */
export const forms = (planted: string): ReadonlyArray<Buffer> => {
  const bytes = Buffer.from(planted)
  // Without the characters that neighboring bytes change.
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "")
    return text.slice(before === 0 ? 0 : before + 1, -2)
  })
  const texts = [bytes.toString("hex"), bytes.toString("hex").toUpperCase(), ...base64]
  return [bytes, Buffer.from(planted, "utf16le"), ...texts.map((text) => Buffer.from(text))]
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

const all: ReadonlyArray<Planted> = [
  ...secrets.map((text): Planted => ({ what: "secret", text })),
  ...buyers.map((text): Planted => ({ what: "buyer", text }))
]

/**
 * Returns a search for all texts by one expression: most content has no match, and is read once.
 */
const search = (formsOf: (planted: string) => ReadonlyArray<string>) => {
  const meant = new Map(all.flatMap((planted) => formsOf(planted.text).map((form) => [form, planted] as const)))
  const expression = [...meant.keys()].map(escaped).join("|")
  const any = new RegExp(expression)
  const every = new RegExp(expression, "g")
  return (content: string): ReadonlyArray<Planted> =>
    any.test(content) ? [...new Set(Array.from(content.matchAll(every), ([form]) => meant.get(form)!))] : []
}

const inText = search((planted) => [planted, ...forms(planted).slice(2).map(String)])
const inBytes = search((planted) => forms(planted).map((form) => form.toString("latin1")))

/** Returns the listed texts found in the content, in any form. */
export const found = (content: string | Uint8Array): ReadonlyArray<Planted> =>
  typeof content === "string"
    ? inText(content)
    : inBytes(Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1"))

/** Number of bytes to read again with the next part of a stream. */
export const longest = Math.max(...[...secrets, ...buyers].flatMap((text) => forms(text).map((form) => form.length)))
