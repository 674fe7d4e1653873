import { connect } from "@fiscal-connector/promise"
import { openInvoices, save } from "./shop.js"

const fiscal = await connect({ account: "shop", config: "accounts.json", book: "shop.book.json", store: { sqlite: "shop.db" } })
try {
  const { lanes, ok, problems, results } = await fiscal.sync(await openInvoices())
  for (const result of results)
    if (result.status === "fiscalised") await save(result.id, result.verificationCode, result.qrCodeUrl)
    else console.error(result.number, result.status, result.because, result.problems)
  for (const { text, retryAt } of lanes) if (text !== null) console.error(text, retryAt)
  console.error(...problems)
  process.exitCode = ok ? 0 : 1
} finally { await fiscal.close() }
