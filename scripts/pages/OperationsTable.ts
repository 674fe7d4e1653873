/** The gateway's operations and their grounds, as a table of docs/gateway.md. */
import type { assumptions } from "../../packages/core/src/gateway/assumption/Assumptions.ts"
import {
  type GatewayOperation,
  type OperationId,
  operations
} from "../../packages/core/src/gateway/contract/Operation.ts"

const groundsOf = ({ grounds }: GatewayOperation): string =>
  grounds === "documented" ? "documented" : `assumed ([${grounds}](assumptions.md#${grounds.toLowerCase()}))`

/** Assumptions about details of documented operations. */
const alsoAssumed: { readonly [Id in OperationId]?: ReadonlyArray<keyof typeof assumptions> } = {
  submitInvoice: ["AUTH-1", "STAT-6"],
  submitCreditNote: ["AUTH-1", "STAT-6"],
  status: ["STAT-1", "STAT-2", "HOOK-2"],
  zReports: ["ZREP-1", "TIME-1"],
  zReport: ["OP-6", "ZREP-2"],
  updateCurrencyMapping: ["OP-9"],
  updateTaxMapping: ["OP-9"],
  fiscalDevice: ["DOC-12", "TIME-1"],
  addTaxMapping: ["DOC-13"]
}

const nameInCode = (id: string): string => (id.startsWith("submit") ? "submit" : id)

const row = ([id, operation]: readonly [string, GatewayOperation]): string => {
  const others = alsoAssumed[id as OperationId] ?? []
  const links = others.map((other) => `[${other}](assumptions.md#${other.toLowerCase()})`).join(", ")
  const repeated = operation.effect === "read" ? "repeated while it fails in passing" : "sent once"
  return `| ${operation.name} | \`gateway.${nameInCode(id)}\` | \`${operation.method} ${operation.path}\` | ${groundsOf(operation)} | ${links} | ${repeated} |`
}

/** Returns the table in Markdown. */
export const render = (): string => `| operation | in code | request | grounds | also assumed | when it fails |
|---|---|---|---|---|---|
${Object.entries<GatewayOperation>(operations).map(row).join("\n")}`
