/**
 * Generator of a Xero-shaped export of any size, with only valid documents: five lines per
 * document, exclusive of tax.
 */
import { createWriteStream } from "node:fs"
import { once } from "node:events"
import { finished } from "node:stream/promises"

const cents = (value: number) => (value / 100).toFixed(2)

const line = (number: number, n: number) => {
  const quantity = 1 + ((number + n) % 20)
  const amount = quantity * (1050 + 100 * n)
  const tax = Math.round((amount * 15) / 100)
  return { quantity, amount, tax, unit: 1050 + 100 * n, text: `Maintenance of pumping station ${n}` }
}

const document = (number: number): string => {
  const id = String(number).padStart(12, "0")
  const day = new Date(Date.UTC(2020, 0, 1 + Math.floor(number / 200)))
  const lines = Array.from({ length: 5 }, (_, n) => line(number, n))
  const net = lines.reduce((sum, { amount }) => sum + amount, 0)
  const tax = Math.round((net * 15) / 100)
  const items = lines.map(
    ({ amount, quantity, tax, text, unit }) =>
      `{"Description":"${text}","Quantity":${quantity}.0000,"UnitAmount":${cents(unit)},"TaxType":"OUTPUT","TaxAmount":${cents(tax)},"LineAmount":${cents(amount)},"ItemCode":"72142000","AccountCode":"200","Tracking":[]}`
  )
  return (
    `{"Type":"ACCREC","InvoiceID":"1a40ce00-0000-4000-8000-${id}","InvoiceNumber":"INV-${id.slice(4)}","Reference":"REF ${number}","Payments":[],` +
    `"Contact":{"ContactID":"c0c7ac70-0000-4000-8000-${String(number % 500).padStart(12, "0")}","Name":"Some Café Buyer ${number % 500}","Addresses":[],"Phones":[]},` +
    `"DateString":"${day.toISOString().slice(0, 19)}","Date":"\\/Date(${day.getTime()}+0000)\\/","Status":"AUTHORISED","LineAmountTypes":"Exclusive",` +
    `"LineItems":[${items.join(",")}],"SubTotal":${cents(net)},"TotalTax":${cents(tax)},"Total":${cents(net + tax)},"CurrencyCode":"USD"}`
  )
}

/** Mapping book for the export's spellings. */
export const book = {
  version: 1,
  zone: "+02:00",
  rounding: "per-group",
  taxes: [{ from: ["OUTPUT"], code: "VAT15", device: 1, percent: "15" }],
  currencies: [{ code: "USD", device: "USD" }],
  defaults: { cashBuyer: "Cash sale {name}" }
}

export const write = async (path: string, documents: number) => {
  const file = createWriteStream(path)
  file.write('{"Invoices":[')
  for (let number = 0; number < documents; number++) {
    if (!file.write(`${number === 0 ? "" : ","}\n${document(number)}`)) await once(file, "drain")
  }
  await finished(file.end("]}"))
}
