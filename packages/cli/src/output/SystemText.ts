import { AtomicFile, SpecialFile, StoreProblem, TextFile } from "@fiscal-connector/core/host"
import type { PlatformError } from "effect"
import { printable } from "./Terminal.ts"

/** System calls that write. Opening is ambiguous: for reads, the caller passes `read`. */
const writing = /write|open|sink|make|rename|remove|copy|link|chmod/i

/** `read`: the file was opened for reading, a fact missing from the system's error. */
export const systemText = (error: PlatformError.PlatformError, opened: "read" | "unknown" = "unknown"): string => {
  const { message, reason } = error
  const isWrite = opened === "unknown" && writing.test(reason._tag === "BadArgument" ? "" : reason.method)
  if (reason._tag === "BadArgument" || reason.pathOrDescriptor === undefined) return printable(message)
  // an unfinished file is shown under its final name
  const file = printable(AtomicFile.finished(String(reason.pathOrDescriptor)))
  if (TextFile.isSpecialFile(error)) return `${file} ${SpecialFile.problemText}, and a file is needed.`
  const isFolder = /EISDIR/.test(
    String((reason.cause as { readonly message?: unknown } | undefined)?.message ?? message)
  )
  if (isFolder) return `${file} is a folder, and a file is needed.`
  switch (reason._tag) {
    case "NotFound":
      return isWrite ? `${file} cannot be written: there is no folder for it.` : `There is no file ${file}.`
    case "PermissionDenied":
      return `The system does not allow this user to ${isWrite ? "write" : "read"} ${file}.`
    case "AlreadyExists":
      return `There is a file ${file} already; it was not changed.`
    default:
      return `${file} cannot be ${isWrite ? "written" : "read"}: ${printable(StoreProblem.problemOf(new Error(message)))}`
  }
}
