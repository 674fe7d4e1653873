/**
 * Gateway that only adds latency: answers every POST with a request id after the given
 * milliseconds. Prints its port.
 */
import { createServer } from "node:http"

const latency = Number(process.argv[2] ?? "0")
let count = 0
const server = createServer((request, response) => {
  request.resume()
  request.on("end", () => {
    const answer = () => {
      response.setHeader("content-type", "text/plain")
      response.end(`request-${++count}`)
    }
    if (latency === 0) answer()
    else setTimeout(answer, latency)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.stdout.write(`${typeof address === "object" ? address?.port : 0}\n`)
})
