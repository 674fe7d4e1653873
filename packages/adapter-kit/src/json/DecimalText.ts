import { Money } from "@fiscal-connector/core/adapter"
import { Option } from "effect"

/**
 * Longest accepted figure, in characters: longer than any real figure, short enough to parse
 * cheaply.
 */
export const longestNumber = 60

/**
 * Parses a decimal literal, without the noise of a double. Undefined if the text is not a decimal,
 * or is longer than any figure.
 */
export const decimalOf = (text: string | undefined): Money.Money | undefined =>
  text === undefined || text.length > longestNumber
    ? undefined
    : Option.getOrUndefined(Option.map(Money.parse(text), Money.withoutNoise))
