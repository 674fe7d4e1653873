/** Takes secrets out of text that came from outside, in whatever escaping it may echo them. */

const hex = (character: string, digits: number) => character.charCodeAt(0).toString(16).padStart(digits, "0")

/** Letters and digits stand for themselves; the rest may be escaped as in JSON, a URL or HTML. */
const inAnyEscaping = (secret: string): string =>
  Array.from(secret, (character) => {
    if (/[A-Za-z0-9]/.test(character)) return character
    const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&")
    return `(?:\\\\?${literal}|\\\\u${hex(character, 4)}|%${hex(character, 2)}|&#x?[0-9a-f]+;|&[a-z]+;)`
  }).join("")

/** A function that replaces every occurrence of the secrets by `<redacted>`. */
export const concealing = (secrets: ReadonlyArray<string>) => {
  const pattern = new RegExp(secrets.map(inAnyEscaping).join("|"), "gi")
  return (text: string): string => text.replace(pattern, "<redacted>")
}
