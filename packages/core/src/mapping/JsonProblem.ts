import * as Jsonc from "#jsonc-parser"

const texts: Readonly<Partial<Record<Jsonc.ParseErrorCode, string>>> = {
  [Jsonc.ParseErrorCode.InvalidSymbol]: "this is not a value: text is written in double quotes",
  [Jsonc.ParseErrorCode.InvalidNumberFormat]: "this is not a number",
  [Jsonc.ParseErrorCode.PropertyNameExpected]: 'a name in double quotes is missing here, as "name": …',
  [Jsonc.ParseErrorCode.ValueExpected]: "a value is missing here",
  [Jsonc.ParseErrorCode.ColonExpected]: "a colon is missing here",
  [Jsonc.ParseErrorCode.CommaExpected]: "a comma is missing here",
  [Jsonc.ParseErrorCode.CloseBraceExpected]: "a } is missing here",
  [Jsonc.ParseErrorCode.CloseBracketExpected]: "a ] is missing here",
  [Jsonc.ParseErrorCode.EndOfFileExpected]: "nothing more may follow here",
  [Jsonc.ParseErrorCode.UnexpectedEndOfComment]: "the comment has no end",
  [Jsonc.ParseErrorCode.UnexpectedEndOfString]: "the text has no closing quote",
  [Jsonc.ParseErrorCode.UnexpectedEndOfNumber]: "the number breaks off",
  [Jsonc.ParseErrorCode.InvalidUnicode]: "the text has an invalid \\u escape",
  [Jsonc.ParseErrorCode.InvalidEscapeCharacter]: "the text has a backslash that means nothing; write it twice",
  [Jsonc.ParseErrorCode.InvalidCharacter]: "the text has a character that is not allowed"
}

export const problemText = (code: Jsonc.ParseErrorCode): string =>
  `not JSON: ${texts[code] ?? "it cannot be read here"}`
