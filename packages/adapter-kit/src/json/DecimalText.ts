/** Figures of the export as decimals. */
import * as Money from "@fiscal-connector/core/document/Money"
import { Option } from "effect"

/** Longer than any figure, short enough to be no work. */
export const longestNumber = 60

/** A decimal literal; none where the text is no such thing, or longer than any figure. */
export const decimalOf = (text: string | undefined): Money.Money | undefined =>
  text === undefined || text.length > longestNumber ? undefined : Option.getOrUndefined(Money.parse(text))
