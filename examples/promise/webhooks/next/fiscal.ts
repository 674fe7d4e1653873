/** One connector for the whole server: Next loads a module again when it is changed, and the process has one store. */
import { connect, type FiscalConnector } from "@fiscal-connector/promise"

const kept = globalThis as { fiscal?: Promise<FiscalConnector> }

export const connector = (): Promise<FiscalConnector> =>
  (kept.fiscal ??= connect({
    account: "shop",
    config: process.env["FISCAL_CONFIG"] ?? "accounts.json",
    book: process.env["FISCAL_BOOK"] ?? "shop.book.json",
    // several instances of a server share a store in PostgreSQL
    store: { postgres: process.env["FISCAL_STORE"] ?? "" }
  }))
