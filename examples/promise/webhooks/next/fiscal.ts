/**
 * A single connector for the whole server. Next reloads a changed module, and the process must have
 * one store only.
 */
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
