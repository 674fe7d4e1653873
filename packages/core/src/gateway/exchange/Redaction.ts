/**
 * Removes an account's secrets from text that came from outside, in any escaping of the secrets.
 */
import { Redacted } from "effect"
import type { GatewaySecrets } from "../contract/GatewayConfig.ts"

export interface Redaction {
  text(text: string): string
  /**
   * Removes the secrets from every string in a value that will be stored, names of fields included.
   * A secret of fewer than 8 characters is as common as a word, and is removed only if a string
   * contains nothing else.
   */
  value<A>(value: A): A
}

const mask = "<redacted>"
/** A shorter secret may be a part of ordinary words, and is removed only as a whole value. */
const distinctive = 8

const code = (character: string, radix: number) => character.charCodeAt(0).toString(radix)

/**
 * Each character may be plain or escaped as in JSON, a URL or HTML. White space may have become
 * other white space.
 */
const inAnyEscaping = (secret: string): string =>
  Array.from(secret, (character) => {
    if (/\s/.test(character)) return "(?:\\s|\\\\[nrt]|\\\\u00[02].|%[02][0-9a-f]|\\+|&#?\\w+;)+"
    const isPlain = /[A-Za-z0-9]/.test(character)
    const literal = isPlain ? character : `\\\\?${character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&")}`
    const hex = code(character, 16)
    const named = isPlain ? "" : "|&[a-z]+;"
    return `(?:${literal}|\\\\u${hex.padStart(4, "0")}|%${hex.padStart(2, "0")}|&#0*${code(character, 10)};|&#x0*${hex};${named})`
  }).join("")

const escaped = /\\u00[3-7]|%[3-7]|&#/i

const longestRun = (secret: string): string =>
  secret
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .reduce((longest, run) => (run.length > longest.length ? run : longest), "")

export const patternOf = (secrets: ReadonlyArray<string>): RegExp =>
  new RegExp(secrets.map(inAnyEscaping).join("|"), "gi")

/**
 * The pattern costs milliseconds to make, so the text is first searched for the longest run of
 * letters and digits of each secret.
 */
const replacing = (secrets: ReadonlyArray<string>): ((text: string) => string) => {
  if (secrets.length === 0) return (text) => text
  const runs = secrets.map(longestRun)
  const mayHold = (text: string): boolean => {
    const lower = text.toLowerCase()
    return runs.some((run) => lower.includes(run)) || escaped.test(text)
  }
  let pattern: RegExp | undefined
  return (text) => (mayHold(text) ? text.replace((pattern ??= patternOf(secrets)), mask) : text)
}

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** An unchanged value is returned as is. Numbers, dates and bytes are not changed. */
const mapped = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((each) => mapped(each, change))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isPlainObject(value)) return value
  const before = Object.entries(value)
  const after = before.map(([name, each]) => [change(name), mapped(each, change)] as const)
  const same = after.every(([name, each], index) => name === before[index]![0] && each === before[index]![1])
  return same ? value : Object.fromEntries(after)
}

export const redacting = (secrets: ReadonlyArray<string>): Redaction => {
  const long = secrets.filter((secret) => secret.length >= distinctive)
  const short = new Set(secrets.filter((secret) => secret.length < distinctive).map((secret) => secret.toLowerCase()))
  const shortest = Math.min(...long.map((secret) => secret.length))
  const shown = replacing(secrets)
  const kept = short.size === 0 ? shown : replacing(long)
  const change = (text: string): string => {
    if (short.size > 0 && short.has(text.trim().toLowerCase())) return mask
    return text.length < shortest ? text : kept(text)
  }
  return {
    text: shown,
    value: <A>(value: A) => mapped(value, change) as A
  }
}

export const both = (one: Redaction, other: Redaction): Redaction => ({
  text: (text) => other.text(one.text(text)),
  value: (value) => other.value(one.value(value))
})

export const ofAccount = ({ apiKey, formerSecrets = [], secret }: GatewaySecrets): Redaction =>
  redacting([apiKey, secret, ...formerSecrets].flatMap((each) => (each === undefined ? [] : [Redacted.value(each)])))
