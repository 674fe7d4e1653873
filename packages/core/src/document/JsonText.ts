import { placeOf, places } from "./LastTexts.ts"

const special = /["\\\p{Cc}\p{Cs}]/u

const texts = Array.from({ length: places }, () => "")
const written = Array.from({ length: places }, () => '""')

/** Half the cost for the many texts without characters to escape. */
export const quoted = (text: string): string => {
  const place = placeOf(text)
  if (texts[place] !== text) {
    texts[place] = text
    written[place] = special.test(text) ? JSON.stringify(text) : `"${text}"`
  }
  return written[place]!
}

/** Joins the elements of a list with commas. `join` would copy each element once more. */
export const listed = <A>(values: ReadonlyArray<A>, write: (value: A) => string): string => {
  let text = ""
  for (let i = 0; i < values.length; i++) text += i === 0 ? write(values[i]!) : `,${write(values[i]!)}`
  return text
}
