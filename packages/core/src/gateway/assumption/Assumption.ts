import type { AssumptionSwitches } from "../contract/AssumptionSwitches.ts"
import { operations } from "../contract/Operation.ts"

/**
 * Grounds of an assumption: `D` documented publicly, `C` done by the published connectors, `I`
 * inferred, `?` unknown. Two letters if a row has parts.
 */
export type Strength = "D" | "C" | "I" | "?" | "D/C" | "C/D" | "D/I" | "C/I" | "C/?"

/**
 * Way to change an assumption: a switch of the account's configuration, another setting, a field of
 * the mapping book, or nothing.
 */
export type Switch =
  | { readonly by: "switch"; readonly id: keyof AssumptionSwitches }
  | { readonly by: "setting"; readonly name: string; readonly standard: string }
  | { readonly by: "book"; readonly name: string }
  | { readonly by: "nothing"; readonly because: string }

export interface Assumption {
  readonly takes: string
  readonly strength: Strength
  readonly switch: Switch
  readonly usedIn: ReadonlyArray<string>
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

export const tolerance = nothing("both forms are accepted, so neither can be wrong")
export const discipline = nothing("this is a rule for the connector, which no gateway can contradict")
