import { connect } from "@fiscal-connector/promise"

await using fiscal = await connect({
  account: "shop",
  config: "accounts.json", // base URL, station, where key and secret are: docs/configuration.md
  book: "shop.book.json", // what your tax codes and currencies mean: docs/mapping-book.md
  store: { sqlite: "shop.db" } // what makes a second run send nothing twice; keep it on a disk that lasts
})

const results = await fiscal.sync([
  {
    kind: "invoice",
    id: "4711", // your own, stable: it makes a second run the same document
    number: "INV-4711",
    date: "2026-03-02",
    currency: "USD",
    taxMode: "inclusive",
    lines: [{ description: "Solar lamp", quantity: "2", unitPrice: "9.99", taxCode: "Standard", productCode: "85131000" }],
    totals: { total: "19.98" }
  }
])
for (const result of results) {
  switch (result.status) {
    case "fiscalised":
      console.log(result.number, result.verificationCode, result.qrCodeUrl)
      break
    case "refused":
      for (const { code, fix, message, path } of result.problems) console.error(result.number, path.join("."), code, message, fix)
      break
    default: // on its way, or waiting for a person: the next run goes on
      console.log(result.number, result.status, result.because)
  }
}
