/**
 * Commands for adapters of the kit that come with the command, such as `import quickbooks-like` and
 * `plan odoo-like`.
 */
import { adapter as erpnextLike } from "@fiscal-connector/adapter-erpnext-like"
import { adapter as odooLike } from "@fiscal-connector/adapter-odoo-like"
import { adapter as quickBooksLike } from "@fiscal-connector/adapter-quickbooks-like"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as AdapterFlags from "../../adapter/AdapterFlags.ts"
import type { OwnAdapter } from "../../adapter/AdapterModule.ts"
import * as ImportCommand from "./ImportCommand.ts"
import { importFlags } from "./ImportFlags.ts"
import * as OwnAdapterCommand from "./OwnAdapterCommand.ts"

const known = (adapter: OwnAdapter) =>
  OwnAdapterCommand.withFlags({ adapter, folder: undefined, file: undefined }, AdapterFlags.named(adapter, ""), [])

export const adapters = {
  "quickbooks-like": { ...known(quickBooksLike as OwnAdapter), what: "QuickBooks-shaped JSON" },
  "odoo-like": { ...known(odooLike as OwnAdapter), what: "Odoo-shaped JSON" },
  "erpnext-like": { ...known(erpnextLike as OwnAdapter), what: "ERPNext-shaped JSON" }
}

const command = (mode: "plan" | "import", { adapter, flags, source }: OwnAdapterCommand.Ready, description: string) =>
  Command.make(
    adapter.name,
    { ...importFlags, ...flags },
    Effect.fnUntraced(function* (given) {
      yield* ImportCommand.run(mode, yield* source(given), given)
    })
  ).pipe(Command.withDescription(description))

const plan = (what: string) => `Read, translate and check ${what}, up to the exact request bodies; send nothing`
const fiscalise = (what: string) => `Fiscalise the invoices and credit notes of ${what}`

const { "erpnext-like": erpnext, "odoo-like": odoo, "quickbooks-like": quickBooks } = adapters

export const planQuickBooksLike = command("plan", quickBooks, plan(quickBooks.what))
export const importQuickBooksLike = command("import", quickBooks, fiscalise(quickBooks.what))
export const planOdooLike = command("plan", odoo, plan(odoo.what))
export const importOdooLike = command("import", odoo, fiscalise(odoo.what))
export const planErpnextLike = command("plan", erpnext, plan(erpnext.what))
export const importErpnextLike = command("import", erpnext, fiscalise(erpnext.what))
