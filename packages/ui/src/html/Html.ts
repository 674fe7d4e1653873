/**
 * The one way to make HTML here: a tagged template that escapes every hole, and refuses a template whose hole stands where escaping protects nothing
 * (outside text and quoted attributes, in handlers, styles and scripts). What a template refuses is a mistake of ours, and thrown at its first use.
 */

/** Text that is HTML already, made by `html` alone. */
export class Html {
  readonly text: string
  private constructor(text: string) {
    this.text = text
  }

  /** For `html` and `raw` in this file. */
  static of(text: string): Html {
    return new Html(text)
  }

  toString(): string {
    return this.text
  }
}

/** Attributes that are there or not. */
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

type Place = "text" | "attribute" | "address" | "tag"

export class UnsafeHole extends Error {}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Also replaces what no page shows: control characters, and marks that turn the direction of text around. HTML has one line break. */
export const escape = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[&<>"']/g, (character) => escapes[character]!)
    .replaceAll(/[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]--[\t\n]]/gv, "\uFFFD")

/** Attributes that a browser follows or loads. */
const addresses: ReadonlySet<string> = new Set([
  "href",
  "src",
  "action",
  "formaction",
  "cite",
  "poster",
  "data",
  "xlink:href"
])
const forbidden = /^(on.*|style|srcdoc|srcset|ping|background)$/

/** Where each hole of a template stands; a template is looked at once. */
const placesOf = (strings: ReadonlyArray<string>): ReadonlyArray<Place> => {
  const places: Array<Place> = []
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
            raw =
              opened[1] === "" && (tag === "script" || tag === "style")
                ? tag
                : opened[1] === "/" && tag === raw
                  ? ""
                  : raw
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
    if (state === "value" && addresses.has(attribute)) {
      places.push(part.endsWith(`${attribute}="`) ? "address" : "attribute")
    } else places.push(state === "value" ? "attribute" : state === "tag" ? "tag" : "text")
  })
  return places
}

const known = new WeakMap<ReadonlyArray<string>, ReadonlyArray<Place>>()

/** An address that a hole begins: of our own page, or https. */
const safeAddress = /^(\/(?!\/)|#|\?|https:\/\/)/

const filled = (hole: Hole, place: Place): string => {
  if (hole === null || hole === undefined) return ""
  if (place === "tag") {
    if (hole instanceof Flag) return hole.text
    throw new UnsafeHole("a tag takes only flags such as checked")
  }
  if (hole instanceof Flag) throw new UnsafeHole("a flag stands in a tag")
  if (typeof hole === "string" || typeof hole === "number") {
    const text = String(hole)
    if (place === "address" && !safeAddress.test(text)) throw new UnsafeHole("an address is of this page, or https")
    return escape(text)
  }
  if (place !== "text") throw new UnsafeHole("HTML stands in text, not in an attribute")
  return hole instanceof Html ? hole.text : hole.map(({ text }) => text).join("")
}

/** HTML of a template; texts and numbers are escaped, HTML and lists of it stand as they are, null is nothing. */
export const html = (strings: TemplateStringsArray, ...holes: ReadonlyArray<Hole>): Html => {
  const places = known.get(strings) ?? placesOf(strings)
  known.set(strings, places)
  let text = strings[0]!
  holes.forEach((hole, i) => {
    text += filled(hole, places[i]!) + strings[i + 1]!
  })
  return Html.of(text)
}

/** Text of ours that is markup without a hole: a style sheet, the path of a picture that was computed from numbers. */
export const fixed = (text: string): Html => Html.of(text)

/** The parts one after the other. */
export const joined = (parts: ReadonlyArray<Html>, between = ""): Html =>
  Html.of(parts.map(({ text }) => text).join(between))

/** Nothing where the condition does not hold. */
export const when = (condition: unknown, part: () => Html): Html => (condition ? part() : Html.of(""))
