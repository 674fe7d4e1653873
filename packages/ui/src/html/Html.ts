/**
 * Builds all HTML of the page: a tagged template that escapes every hole. Rejects templates with a
 * hole where escaping does not protect (outside text and quoted attributes, in handlers, styles and
 * scripts). A rejected template is a programming error and throws at its first use.
 */

/** HTML text, created only in this file. */
export class Html {
  readonly text: string
  private constructor(text: string) {
    this.text = text
  }

  /** Wraps a text. Only for the functions of this file. */
  static of(text: string): Html {
    return new Html(text)
  }

  toString(): string {
    return this.text
  }
}

export class Flag {
  readonly text: string
  constructor(
    name: "checked" | "selected" | "disabled" | "open" | "required" | "hidden" | "autofocus",
    isSet: boolean
  ) {
    this.text = isSet ? ` ${name}` : ""
  }
}

type Hole = string | number | null | undefined | Html | Flag | ReadonlyArray<Html>

type Slot = "text" | "attribute" | "address" | "tag"

export class UnsafeHole extends Error {}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/**
 * Escapes a text. Also replaces control characters and marks that change the direction of text.
 * Converts CRLF line breaks to LF, the only line break of HTML.
 */
export const escape = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[&<>"']/g, (character) => escapes[character]!)
    .replaceAll(/[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]--[\t\n]]/gv, "\uFFFD")

const addresses = /^(href|src|action|formaction|cite|poster|data|xlink:href)$/
const forbidden = /^(on.*|style|srcdoc|srcset|ping|background)$/

const placesOf = (strings: ReadonlyArray<string>): ReadonlyArray<Slot> => {
  const places: Array<Slot> = []
  let state: "text" | "comment" | "tag" | "value" = "text"
  let [tag, attribute, raw] = ["", "", ""]
  const refuse = (why: string): never => {
    throw new UnsafeHole(`a hole of a template stands ${why}: …${strings[places.length]?.slice(-60) ?? ""}`)
  }
  strings.forEach((part, index) => {
    let i = 0
    while (i < part.length) {
      const rest = part.slice(i)
      if (state === "text") {
        if (rest.startsWith("<!--")) [state, i] = ["comment", i + 4]
        else {
          const opened = /^<(\/?)([a-zA-Z][^\s/>]*)/.exec(rest)
          if (opened === null) i += 1
          else {
            ;[state, tag, i] = ["tag", opened[2]!.toLowerCase(), i + opened[0].length]
            if (opened[1] === "" && (tag === "script" || tag === "style")) raw = tag
            else if (opened[1] === "/" && tag === raw) raw = ""
          }
        }
      } else if (state === "comment") {
        const end = rest.indexOf("-->")
        if (end === -1) i = part.length
        else [state, i] = ["text", i + end + 3]
      } else if (state === "tag") {
        const named = /^\s*([^\s=>"']+)="/.exec(rest)
        if (rest.startsWith(">")) [state, i] = ["text", i + 1]
        else if (named === null) i += 1
        else [state, attribute, i] = ["value", named[1]!.toLowerCase(), i + named[0].length]
      } else {
        const end = rest.indexOf('"')
        if (end === -1) i = part.length
        else [state, i] = ["tag", i + end + 1]
      }
    }
    if (index === strings.length - 1) {
      if (state !== "text") throw new UnsafeHole(`a template ends inside a ${state}`)
      return
    }
    if (raw !== "" && state === "text") refuse(`in a ${raw}`)
    if (state === "comment") refuse("in a comment")
    if (state === "text" && /<\/?$/.test(part)) refuse("in the name of a tag")
    if (state === "value" && forbidden.test(attribute)) refuse(`in the attribute ${attribute}`)
    if (state === "value" && addresses.test(attribute)) {
      places.push(part.endsWith(`${attribute}="`) ? "address" : "attribute")
    } else places.push(state === "value" ? "attribute" : state === "tag" ? "tag" : "text")
  })
  return places
}

const known = new WeakMap<ReadonlyArray<string>, ReadonlyArray<Slot>>()

/** Matches an address at the start of a hole: on our own page, or https. */
const safeAddress = /^(\/(?!\/)|#|\?|https:\/\/)/

const filled = (hole: Hole, place: Slot): string => {
  if (hole === null || hole === undefined) return ""
  if (place === "tag") {
    if (hole instanceof Flag) return hole.text
    throw new UnsafeHole("a tag takes only flags such as checked")
  }
  if (hole instanceof Flag) throw new UnsafeHole("a flag is only for tags")
  if (typeof hole === "string" || typeof hole === "number") {
    const text = String(hole)
    if (place === "address" && !safeAddress.test(text)) throw new UnsafeHole("an address is of this page, or https")
    return escape(text)
  }
  if (place !== "text") throw new UnsafeHole("HTML is only for text, not for attributes")
  return hole instanceof Html ? hole.text : hole.map(({ text }) => text).join("")
}

/**
 * Returns the template's HTML. Texts and numbers are escaped, HTML and lists of HTML are inserted
 * unchanged, null becomes nothing.
 */
export const html = (strings: TemplateStringsArray, ...holes: ReadonlyArray<Hole>): Html => {
  const places = known.get(strings) ?? placesOf(strings)
  known.set(strings, places)
  let text = strings[0]!
  holes.forEach((hole, i) => {
    text += filled(hole, places[i]!) + strings[i + 1]!
  })
  return Html.of(text)
}

export const fixed = (text: string): Html => Html.of(text)

export const joined = (parts: ReadonlyArray<Html>, between = ""): Html =>
  Html.of(parts.map(({ text }) => text).join(between))

export const when = (condition: unknown, part: () => Html): Html => (condition ? part() : Html.of(""))
