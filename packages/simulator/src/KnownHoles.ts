/** What is known not to hold yet, and why: counted apart, and taken out when it is closed. */
import type { Law, Violation } from "./Law.ts"

export interface KnownHole {
  readonly law: Law
  readonly text: RegExp
  readonly because: string
}

export const knownHoles: ReadonlyArray<KnownHole> = []

export const knownHoleOf = ({ law, text }: Violation): KnownHole | undefined =>
  knownHoles.find((hole) => hole.law === law && hole.text.test(text))
