import { Option } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"

export type StatedDate = CivilDate | Instant.Instant

export const isDay = (date: StatedDate): date is CivilDate => typeof date === "string"

export const format = (date: StatedDate): string => (isDay(date) ? date : Instant.format(date))

export const parse = (text: string): StatedDate => Option.getOrElse(Instant.parse(text), () => text as CivilDate)
