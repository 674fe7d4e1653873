/**
 * Export of an invented shop, for users without an export. One of its totals is wrong on purpose.
 */

export const name = "example-shop.csv"

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod"

const rows = [
  ["EX-1001", "Cash sale Moyo Hardware", "Cement 50 kg", "4", "11.50", "46.00", "46.00"],
  ["EX-1002", "Cash sale Kopje Lodge", "Paint 5 l", "2", "18.75", "37.50", "37.50"],
  ["EX-1003", "Cash sale", "Nails 1 kg", "3", "2.40", "7.20", "7.20"],
  ["EX-1004", "Cash sale Acacia Clinic", "Timber plank", "10", "6.10", "61.00", "61.10"],
  ["EX-1005", "Cash sale Ruvimbo Cafe", "Paint brush", "5", "3.20", "16.00", "16.00"],
  ["EX-1006", "Cash sale", "Wall tiles", "12", "4.85", "58.20", "58.20"]
] as const

export const text = [
  header,
  ...rows.map(
    ([number, buyer, item, quantity, price, amount, total]) =>
      `${number},2026-02-02,USD,inclusive,${buyer},${item},${quantity},${price},${amount},Zero rated 0 %,87168000,${total},Cash`
  ),
  ""
].join("\n")
