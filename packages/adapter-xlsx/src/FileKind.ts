import { Buffer } from "node:buffer"
import { exportTable, Refusal, saveAs } from "./Refusal.ts"

const encryptedPackage = Buffer.from("EncryptedPackage", "utf16le")

export const otherThanZip = (head: Buffer): Refusal | undefined => {
  if (head.length === 0) return new Refusal("the file is empty", "Export it again")
  const begins = head.toString("latin1", 0, 512)
  if (begins.startsWith("PK\x03\x04")) return undefined
  if (begins.startsWith("PK\x05\x06")) return new Refusal("this is an empty archive", "Export it again")
  if (begins.startsWith("\xd0\xcf\x11\xe0")) {
    return head.includes(encryptedPackage)
      ? new Refusal("this is an encrypted workbook", "Save it without a password")
      : new Refusal("this is a workbook of the old kind (.xls)", saveAs)
  }
  if (begins.startsWith("%PDF-"))
    return new Refusal("this is a PDF: it shows invoices and holds no table of them", exportTable)
  const text = begins
    .trimStart()
    .replace(/^\xef\xbb\xbf/, "")
    .trimStart()
  if (/^<(?:!doctype html|html|table|\?xml)/i.test(text)) {
    return new Refusal(
      "this is a web page or XML that is only named like a workbook",
      "Open it in a spreadsheet program and save it as an .xlsx"
    )
  }
  return new Refusal("this is not an Excel workbook", "Import a text file with rows as csv")
}
