/**
 * The command by its name from an empty folder, as a new user types it: to a receipt, and to the
 * refusal of a wrong file, an ambiguous date and a wrong key.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const answers = {
  "header line": "1",
  "column number": "Cuenta",
  "column date": "Dia",
  "column description": "Pieza",
  "column quantity": "Uds",
  "column price": "Cada",
  "column amount": "Suma",
  "column tax": "Clase",
  "column buyer": "Socio",
  "column currency": "Mon",
  zone: "Africa/Harare",
  "currency USD": "USD",
  "tax N": "15.5",
  "tax F": "0.0",
  amounts: "exclusive",
  "product-codes": "12345678",
  "buyers-without-number": "cash-sale"
}

const ambiguous = `InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode
A-1,03/02/2026,USD,inclusive,Lamp,1,10.00,Standard,85131000
`

/** Lines for a shell, in the folder. `start` is the text of docs/start.md, with its file. */
export const linesIn = (folder: string, start: string, port: number): ReadonlyArray<string> => {
  mkdirSync(folder)
  const [, sales = ""] = /<!-- recorded: file -->\n```text\n([^]*?)```/.exec(start) ?? []
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
  write("sales.csv", sales)
  write("answers.json", JSON.stringify({ version: 1, answers }))
  write("other.json", '{"records":[{"no":"A1","total":"5"}]}')
  write("ambiguous.csv", ambiguous)
  write("wrong.key", "another-key")
  write("main.secret", "sandbox-secret")
  const main = {
    baseUrl: `http://127.0.0.1:${port}`,
    application: "sandbox-application",
    station: "sandbox-station",
    keyFile: "wrong.key",
    secretFile: "main.secret"
  }
  write("accounts.json", JSON.stringify({ accounts: { main } }))
  const book = "--columns sales.columns.json --book sales.sandbox.book.json"
  const refused = (line: string) => `if npx fiscal-connector ${line} 2>&1; then exit 9; else echo "exit $?"; fi`
  return [
    "npx --yes fiscal-connector start sales.csv --sandbox --answers answers.json",
    `npx fiscal-connector import sales.csv ${book} --sandbox`,
    refused("plan other.json"),
    // without --sandbox, the accounts.json beside the file would ask its gateway first
    refused("plan ambiguous.csv --book sales.sandbox.book.json --sandbox"),
    // npx does not pass a signal on
    "connector=$(npx --package fiscal-connector -c 'command -v connector')",
    `$connector sandbox --port ${port} --book sales.sandbox.book.json > sandbox.log 2>&1 & beside=$!`,
    "trap 'kill $beside' EXIT",
    `curl -s -o answer --retry 30 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/`,
    refused(`import sales.csv ${book} --config accounts.json`)
  ]
}

/** The receipt, then the three refusals with their exit codes. */
export const expected =
  /2 documents: 2 fiscalised[^]*other\.json has a shape that no format reads[^]*exit 1[^]*03\/02\/2026[^]*exit 1[^]*KEY_REFUSED[^]*exit 1/
