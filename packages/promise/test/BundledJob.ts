/** Small job for bundling: sends one given document, and prints its result. */
import { connect, type ConnectOptions, type DocumentInput } from "@fiscal-connector/promise"

const main = async (given: { readonly options: ConnectOptions; readonly document: DocumentInput }) => {
  await using fiscal = await connect(given.options)
  const [result] = (await fiscal.sync([given.document])).results
  process.stdout.write(`${result?.number} ${result?.status}\n`)
}

main(JSON.parse(process.argv[2]!)).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
})
