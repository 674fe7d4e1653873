/** One assumption of the register, and the ways to write its row. */
import type { AssumptionSwitches } from "../contract/AssumptionSwitches.ts"
import { operations } from "../contract/Operation.ts"

/** `D` documented publicly, `C` done by the published connectors, `I` inferred, `?` unknown; two where a row has parts. */
export type Strength = "D" | "C" | "I" | "?" | "D/C" | "C/D" | "D/I" | "C/I" | "C/?"

/** What says otherwise: a switch of the account's configuration, another of its settings, a field of the mapping book, or nothing. */
export type Switch =
  | { readonly by: "switch"; readonly id: keyof AssumptionSwitches }
  | { readonly by: "setting"; readonly name: string; readonly standard: string }
  | { readonly by: "book"; readonly name: string }
  | { readonly by: "nothing"; readonly because: string }

export interface Assumption {
  readonly takes: string
  readonly strength: Strength
  readonly switch: Switch
  /** Under packages/, without the extension: the modules or rooms that rely on it. */
  readonly usedIn: ReadonlyArray<string>
  /** What one would see at the gateway if it were wrong. */
  readonly wrongIf: string
}

export const on = (id: keyof AssumptionSwitches): Switch => ({ by: "switch", id })
export const setting = (name: string, standard: string): Switch => ({ by: "setting", name, standard })
export const book = (name: string): Switch => ({ by: "book", name })
export const nothing = (because: string): Switch => ({ by: "nothing", because })
export const paths = (...ids: ReadonlyArray<keyof typeof operations>): Switch =>
  setting(
    ids.map((id) => `paths.${id}`).join(", "),
    ids.map((id) => `${operations[id].method} ${operations[id].path}`).join(" · ")
  )

export const tolerance = nothing("both forms are read, so neither can be wrong")
export const discipline = nothing("a rule for ourselves, which no gateway can contradict")
