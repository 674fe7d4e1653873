/** Takes each field once, in one form. Each misfit becomes a finding with its path. */
import { Option } from "effect"
import type { Instant } from "../document/Instant.ts"
import * as CivilDate from "../document/CivilDate.ts"
import * as InstantOf from "../document/Instant.ts"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import { isObject } from "./Expectation.ts"
import { InputFinding } from "./InputFinding.ts"

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

type Presence = "required" | "optional"

export class PlainFields {
  readonly #values: Readonly<Record<string, unknown>>
  readonly #path: Finding.Path
  readonly #found: Array<Finding.Finding>
  readonly #taken = new Set<string>()

  constructor(values: Readonly<Record<string, unknown>>, path: Finding.Path, found: Array<Finding.Finding>) {
    this.#values = values
    this.#path = path
    this.#found = found
  }

  text(name: string, presence: Presence): string | undefined {
    const value = this.#take(name, presence)
    if (value === undefined || typeof value === "string") return value
    return this.#misfit(InputFinding.INPUT_VALUE, name, `expected a text, not ${kindOf(value)}`)
  }

  /** Returns a text that identifies the document; an empty or blank text is a missing one. */
  identity(name: string): string {
    const value = this.text(name, "required")
    if (value?.trim() === "") this.#find(InputFinding.INPUT_MISSING, [name], "the text is blank")
    return value?.trim() === "" ? "" : (value ?? "")
  }

  decimal(name: string, presence: Presence): Money.Money | undefined {
    const value = this.#take(name, presence)
    if (value === undefined) return undefined
    if (typeof value === "number") return this.#misfit(InputFinding.INPUT_NUMBER, name, "it is a JavaScript number")
    if (typeof value !== "string") {
      return this.#misfit(InputFinding.INPUT_VALUE, name, `expected a decimal as a text, not ${kindOf(value)}`)
    }
    return Option.getOrElse(Money.parse(value), () =>
      this.#misfit(InputFinding.INPUT_VALUE, name, `${shown(value)} is not a decimal such as "9.99"`)
    )
  }

  date(name: string, presence: Presence): CivilDate.CivilDate | Instant | undefined {
    const value = this.#take(name, presence)
    if (value === undefined) return undefined
    const text = typeof value === "string" ? value : ""
    const day = Option.getOrUndefined(CivilDate.parse(text)) ?? Option.getOrUndefined(InstantOf.parse(text))
    const problem = typeof value === "string" ? shown(value) : `it is ${kindOf(value)}`
    return day ?? this.#misfit(InputFinding.INPUT_DATE, name, problem)
  }

  oneOf<const Value extends string>(name: string, values: ReadonlyArray<Value>): Value | undefined {
    const value = this.#take(name, "required")
    if (value === undefined) return undefined
    const known = values.find((one) => one === value)
    return known ?? this.#misfit(InputFinding.INPUT_VALUE, name, `expected one of ${values.join(", ")}`)
  }

  object(name: string): PlainFields | undefined {
    const value = this.#take(name, "optional")
    if (value === undefined) return undefined
    if (isObject(value)) return new PlainFields(value, [...this.#path, name], this.#found)
    return this.#misfit(InputFinding.INPUT_VALUE, name, `expected an object, not ${kindOf(value)}`)
  }

  list(name: string, presence: Presence): ReadonlyArray<PlainFields> {
    const value = this.#take(name, presence)
    if (value === undefined) return []
    if (!Array.isArray(value)) {
      this.#misfit(InputFinding.INPUT_VALUE, name, `expected a list, not ${kindOf(value)}`)
      return []
    }
    return value.flatMap((entry: unknown, index) => {
      if (isObject(entry)) return [new PlainFields(entry, [...this.#path, name, index], this.#found)]
      this.#find(InputFinding.INPUT_VALUE, [name, index], `expected an object, not ${kindOf(entry)}`)
      return []
    })
  }

  close(): void {
    for (const [name, value] of Object.entries(this.#values)) {
      if (value !== undefined && !this.#taken.has(name)) {
        this.#find(InputFinding.INPUT_FIELD_UNKNOWN, [name], undefined)
      }
    }
  }

  #take(name: string, presence: Presence): unknown {
    this.#taken.add(name)
    const value = this.#values[name] ?? undefined
    if (value === undefined && presence === "required") this.#find(InputFinding.INPUT_MISSING, [name], undefined)
    return value
  }

  #misfit(code: FindingCode, name: string, detail: string): undefined {
    this.#find(code, [name], detail)
  }

  #find(code: FindingCode, path: Finding.Path, detail: string | undefined): void {
    const at = [...this.#path, ...path]
    const message = `${code.meaning}: ${at.join(".")}`
    this.#found.push(Finding.make(code, { message, path: at, ...(detail !== undefined && { detail }) }))
  }
}
