/** What is printed about a document that waits for a person, read as that person reads it: the command it names, and nothing else. */
import { find } from "@fiscal-connector/core/unstable/codes/CodeEntry"
import { coreCodes } from "@fiscal-connector/core/unstable/codes/KnownCodes"
import type { Submission } from "@fiscal-connector/core/submission/Submission"

/** What a person does about it. */
export type Fix =
  | "resend"
  | "withdraw"
  /** Looks in the gateway's portal and says what it shows. */
  | "portal"
  /** Asks the gateway, and says that it was dealt with. */
  | "acknowledge"
  /** Corrects the document in the source, and imports it again. */
  | "correct"
  /** Something else has to be seen to first; nothing about this one. */
  | "wait"
  /** Nothing printed can be done by anybody. */
  | "nothing"

/** The entry that is printed for a state, or for what a document is held for. */
export const codeOf = ({ hold, rejection, state }: Pick<Submission, "state" | "hold" | "rejection">): string =>
  state === "Held" && hold !== null
    ? `HELD_${hold.cause}`
    : state === "Rejected" && rejection?.nature === "final"
      ? "REJECTED_FINAL"
      : state

const printed: Readonly<Record<string, string>> = {
  // what `explain` and the report of an import say of a state that has no code of its own
  Declined: "connector resolve ID --resend",
  Rejected: "connector resolve ID --resend"
}

/** What the printed text has a person do. */
export const fixOf = (code: string): Fix => {
  const text = printed[code] ?? find(coreCodes, code)?.fix ?? ""
  const commands = new Set(
    Array.from(
      text.matchAll(/connector (resolve ID --resend|resolve ID --acknowledged|withdraw ID|resolve ID)/g),
      ([, command]) => command
    )
  )
  if (commands.has("resolve ID --resend")) return "resend"
  if (commands.has("resolve ID --acknowledged")) return "acknowledge"
  if (commands.has("resolve ID")) return "portal"
  if (commands.has("withdraw ID") || /withdraw this one/.test(text)) return "withdraw"
  if (/See to the original first/.test(text)) return "wait"
  if (/in the source/.test(text)) return "correct"
  return "nothing"
}
