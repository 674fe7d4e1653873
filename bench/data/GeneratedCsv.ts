/**
 * Generator of a CSV file in the plain layout, of any size, with only valid documents: quoted
 * cells, quoted line breaks, names in several scripts.
 */
import { createWriteStream } from "node:fs"
import { once } from "node:events"

const header =
  "Kind,InvoiceNumber,InvoiceDate,Currency,CustomerName,CustomerTIN,CustomerVAT,CustomerPhone,CustomerEmail,Province,Street,HouseNo,City," +
  "Description,Quantity,UnitPrice,Discount,LineAmount,TaxCode,ProductCode,AmountsAre,Total,TotalTax,OriginalInvoice,Reference,PaymentMethod\r\n"

const names = [
  '"Müller, & Söhne"',
  "Иван Петров",
  "Acme Ltd",
  "Café “Noir”",
  "Long – Dash Co",
  "O'Brien Group",
  "Plain Trading (Pvt) Ltd",
  "Widgets Inc"
]

const cents = (value: number) => (value / 100).toFixed(2)

/**
 * Yields the documents. 8 % of the cells are quoted, 3 % of the descriptions have a line break, and
 * a document has five lines on average.
 */
function* blocks() {
  let seed = 42
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32
  // dates in a past year: a plan refuses documents with future dates, and reads the file again to
  // find their places
  for (let number = 1; ; number++) {
    const lines = Array.from({ length: 1 + Math.floor(random() * 9) }, () => {
      const quantity = 1 + Math.floor(random() * 20)
      const unit = 100 + Math.floor(random() * 99_900)
      return { quantity, unit, amount: quantity * unit, kind: random() }
    })
    const total = lines.reduce((sum, { amount }) => sum + amount, 0)
    const day = `2025-${String(1 + ((number >> 13) % 12)).padStart(2, "0")}-${String(1 + ((number >> 8) % 28)).padStart(2, "0")}`
    const buyer = `${names[number % names.length]!},2000000001,220000001,+263771234567,accounts@example.test,HRE,Samora Machel Ave,${1 + (number % 200)},Harare`
    const head = `Invoice,INV-${String(number).padStart(8, "0")},${day},USD,${buyer}`
    const tail = `VAT15,72142000,inclusive,${cents(total)},${cents(Math.round((total * 15) / 115))},,REF ${number},Card`
    yield {
      rows: lines.length,
      text: lines
        .map(({ amount, kind, quantity, unit }, i) => {
          const text =
            kind < 0.03
              ? `"Steel bar, ""grade"" B\r\nsecond line ${i}"`
              : kind < 0.08
                ? `"Cement, 50 kg bag ${i}"`
                : `Maintenance of pumping station ${i}`
          return `${head},${text},${quantity},${cents(unit)},,${cents(amount)},${tail}\r\n`
        })
        .join("")
    }
  }
}

/** Writes a file of at least the given bytes or rows. */
export const write = async (path: string, size: { readonly bytes: number } | { readonly rows: number }) => {
  const file = createWriteStream(path)
  file.write(header)
  let bytes = header.length
  let rows = 0
  let text = ""
  for (const block of blocks()) {
    text += block.text
    rows += block.rows
    const full = "bytes" in size ? bytes + text.length >= size.bytes : rows >= size.rows
    if (text.length < 1 << 18 && !full) continue
    bytes += Buffer.byteLength(text)
    if (!file.write(text)) await once(file, "drain")
    text = ""
    if (full) break
  }
  file.end()
  await once(file, "close")
  return { bytes, rows }
}
