/** The register of assumptions as a page for readers: docs/assumptions.md is this text. */
import { Schema } from "effect"
import type { Assumption } from "../../packages/core/src/gateway/assumption/Assumption.ts"
import { assumptions } from "../../packages/core/src/gateway/assumption/Assumptions.ts"
import { AssumptionSwitches, defaults } from "../../packages/core/src/gateway/contract/AssumptionSwitches.ts"

const grounds = { D: "documented publicly", C: "done by published connectors", I: "inferred", "?": "unknown" } as const

const strength = (letters: Assumption["strength"]): string =>
  letters
    .split("/")
    .map((letter) => grounds[letter as keyof typeof grounds])
    .join(", ")

const Properties = Schema.Struct({
  properties: Schema.Record(
    Schema.String,
    Schema.Struct({ description: Schema.String, enum: Schema.optionalKey(Schema.Array(Schema.Unknown)) })
  )
})

const { properties } = Schema.decodeUnknownSync(Properties)(Schema.toJsonSchemaDocument(AssumptionSwitches).schema)

/** Describes in a sentence how an assumption is switched. */
const lever = (assumption: Assumption): string => {
  const { switch: by } = assumption
  switch (by.by) {
    case "switch": {
      const { description, enum: values } = properties[by.id]!
      const others = (values ?? []).filter((value) => value !== defaults[by.id]).map((value) => `\`${value}\``)
      const or = others.length === 0 ? "another value" : others.join(" or ")
      return `\`assumptions."${by.id}"\`: ${description}. Default \`${defaults[by.id]}\`, else ${or}.`
    }
    case "setting":
      return `\`${by.name}\` in the account's configuration. Default: ${by.standard}.`
    case "book":
      return `\`${by.name}\` in the mapping book.`
    case "nothing":
      return `None: ${by.because}.`
  }
}

const entry = ([id, assumption]: readonly [string, Assumption]): string => `### ${id}

${assumption.takes}

| | |
|---|---|
| strength | ${strength(assumption.strength)} |
| switch | ${lever(assumption).replaceAll("|", "\\|")} |
| used in | ${assumption.usedIn.map((module) => `\`${module}\``).join(", ")} |
| it is wrong if | ${assumption.wrongIf} |
`

const sections = {
  "Authentication and signing": /^AUTH/,
  Webhooks: /^HOOK/,
  "Status and results": /^STAT/,
  "Operations that are not documented": /^(OP|NUM|TIME|ZREP)/,
  "Documents, order, history and limits": /^(DOC|ORD|HIST|LIM|SUB|SHAPE)/
} as const

/** Returns the whole page in Markdown. */
export const render = (): string => {
  const entries = Object.entries<Assumption>(assumptions)
  const parts = Object.entries(sections).map(
    ([title, ids]) =>
      `## ${title}\n\n${entries
        .filter(([id]) => ids.test(id))
        .map(entry)
        .join("\n")}`
  )
  return `# What we take where the gateway's interface does not say

Each row is an assumption: what we take, how sure we are, how to switch it where your gateway differs, and what you would see if it were wrong.
Switches go under \`assumptions\` in the account's configuration, for example \`{ "assumptions": { "ORD-1": "outcome" } }\`.

This page is written by \`scripts/pages/AssumptionsPage\` from the register in \`core/src/gateway/assumption/Assumptions\`; do not edit it by hand.

${parts.join("\n")}`
}
