import type { Joins } from "./Joins.ts"
import type { XeroLikeOptions } from "../options/XeroLikeOptions.ts"

export interface Context {
  readonly joins: Joins
  readonly options: XeroLikeOptions
}
