/** Parses JSON output for programs, and validates it with the published schema. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "../../../docs/schemas/output")
const ajv = new Ajv2020({ strict: false })
const known = new Map<string, ValidateFunction>()

export interface Envelope {
  readonly kind: string
  readonly version: number
  readonly data: Record<string, unknown>
}

/**
 * Returns the envelope in a text line. Throws if the text is not an envelope, or does not match its
 * schema.
 */
export const envelope = (line: string): Envelope => {
  const answer = JSON.parse(line) as Envelope
  if (!/^[a-z-]+$/.test(answer.kind)) throw new Error(`no envelope: ${line.slice(0, 200)}`)
  const file = join(folder, `${answer.kind}.schema.json`)
  const validate = known.get(answer.kind) ?? ajv.compile(JSON.parse(readFileSync(file, "utf8")) as object)
  known.set(answer.kind, validate)
  const isValid: boolean = validate(answer as unknown)
  if (isValid) return answer
  throw new Error(`${answer.kind}: ${ajv.errorsText(validate.errors)} in ${line.slice(0, 2000)}`)
}
