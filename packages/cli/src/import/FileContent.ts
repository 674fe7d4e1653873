import { FileContent as Content } from "@fiscal-connector/core/host"
import { Effect } from "effect"
import { ExitError } from "../output/ExitError.ts"
import { systemText } from "../output/SystemText.ts"

/** Returns the content type. Fails with ExitError if the file cannot be read. */
export const of = (file: string) =>
  Effect.mapError(Content.ofFile(file), (error) => new ExitError({ code: 1, text: systemText(error, "read") }))
