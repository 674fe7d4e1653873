import type { Observed } from "@fiscal-connector/sandbox/gateway/Observed"
import { printable } from "../output/Terminal.ts"

const time = (at: number): string => new Date(at).toISOString().slice(11, 19).concat("Z")

const documents = (of: ReadonlyArray<string>): string => (of.length === 0 ? "" : `  ${[...new Set(of)].join(" ")}`)

export const describe = (observed: Observed): string => {
  switch (observed._tag) {
    case "Asked": {
      const { account, at, documents: about, ids, method, path, status } = observed.call
      const asked = ids === null ? documents(about) : `  ${ids} request ids`
      return printable(`${time(at)}  ${method} ${path}  ${status}  ${account ?? "nobody known"}${asked}`)
    }
    case "Delivered": {
      const { account, answer, at, attempt, documents: about, dress, next, problem, purpose, url } = observed.attempt
      const what = purpose === "test" ? "  test" : documents(about) || "  empty"
      const how = dress === "as-it-should-be" ? "" : `, ${dress}`
      const again = next === null ? "" : `; again at ${time(next)}`
      const trouble = problem === null ? "" : `: ${problem}${again}`
      return printable(`${time(at)}  webhook ${url}  ${answer}  ${account}${what}, try ${attempt}${how}${trouble}`)
    }
  }
}
