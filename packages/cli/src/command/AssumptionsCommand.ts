import { type Assumption, Assumptions as Register } from "@fiscal-connector/core/host/account"
import { AssumptionSwitches } from "@fiscal-connector/core/gateway"
import { Effect, Schema } from "effect"
import { Argument } from "effect/cli"
import { describedCommand } from "../output/Flags.ts"
import { notDone } from "../output/ExitError.ts"
import { Call } from "../output/Call.ts"
import { printable } from "../output/Terminal.ts"
import * as Output from "../output/Output.ts"

export const assumptions = describedCommand(
  "assumptions",
  "List assumptions where the gateway's interface is silent: how certain each is, and how to change it",
  {
    ids: Argument.String("id").pipe(
      Argument.withDescription("only these ids, for example DOC-10, or all that begin with DOC"),
      Argument.variadic()
    )
  },
  Effect.fnUntraced(function* ({ ids: asked }) {
    // upper case, as in the register
    const ids = asked.map((id) => id.toUpperCase())
    const all = Object.entries<Assumption.Assumption>(Register.assumptions)
    const isMeant = (id: string) => ids.some((asked) => id === asked || id.startsWith(`${asked}-`))
    const shown = ids.length === 0 ? all : all.filter(([id]) => isMeant(id))
    const strange = ids.filter((asked) => !all.some(([id]) => id === asked || id.startsWith(`${asked}-`)))
    if (strange.length > 0) {
      return yield* notDone(
        `There is no assumption ${printable(strange.join(", "))}. All of them:\n  ${(yield* Call).next({ command: ["assumptions"] })}`
      )
    }
    const rows = shown.map(([id, assumption]) => ({
      id,
      ...assumption,
      default: Register.standardOf(assumption) || null
    }))
    yield* Output.answer(
      "assumptions",
      { assumptions: rows },
      shown.map(([id, assumption]) => describe(id, assumption)).join("\n\n")
    )
  })
)

const grounds = { D: "documented publicly", C: "done by published connectors", I: "inferred", "?": "unknown" } as const

const describe = (id: string, assumption: Assumption.Assumption): string => {
  const strength = assumption.strength.split("/").map((letter) => grounds[letter as keyof typeof grounds])
  return `${id}  ${strength.join(", ")}
  ${assumption.takes}
  switch      ${switchText(assumption)}
  wrong if    ${assumption.wrongIf}`
}

const switchText = (assumption: Assumption.Assumption): string => {
  const lever = assumption.switch
  switch (lever.by) {
    case "switch": {
      const others = valuesOf(lever.id).filter((value) => value !== Register.standardOf(assumption))
      return `"assumptions": { "${lever.id}": … }, ${Register.standardOf(assumption)} unless it says ${others.join(" or ") || "otherwise"}`
    }
    case "setting":
      return `${lever.name} in the account's configuration, ${lever.standard} unless it says otherwise`
    case "book":
      return `${lever.name} in the mapping book`
    case "nothing":
      return `none: ${lever.because}`
  }
}

const Choices = Schema.Struct({
  properties: Schema.Record(
    Schema.String,
    Schema.Struct({ enum: Schema.optionalKey(Schema.Array(Schema.Union([Schema.String, Schema.Finite]))) })
  )
})

const valuesOf = (id: string): ReadonlyArray<string> => {
  const { properties } = Schema.decodeUnknownSync(Choices)(
    Schema.toJsonSchemaDocument(AssumptionSwitches.AssumptionSwitches).schema
  )
  return (properties[id]?.enum ?? []).map(String)
}
