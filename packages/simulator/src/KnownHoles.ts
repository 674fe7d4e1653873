/** What is known not to hold yet, and why: counted apart, and taken out when it is closed. */
import type { Law, Violation } from "./Law.ts"

export interface KnownHole {
  readonly law: Law
  readonly text: RegExp
  readonly because: string
}

export const knownHoles: ReadonlyArray<KnownHole> = [
  {
    law: "coloured",
    text: /^RCPT031$/,
    because: "a clock ahead by less than the minute that is allowed dates a receipt in the device's future: yellow"
  },
  {
    law: "hold-reason",
    text: /^held because it may have been processed, and the gateway never had it/,
    because: "a document that a person called not processed is held for a person once more where its date has passed"
  }
]

export const knownHoleOf = ({ law, text }: Violation): KnownHole | undefined =>
  knownHoles.find((hole) => hole.law === law && hole.text.test(text))
