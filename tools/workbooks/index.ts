/** SheetJS, installed by the first test that imports it. */
import { install } from "../../scripts/Tools.ts"

export type * from "@e965/xlsx"

install("workbooks")
export const { read, utils, write } = await import("@e965/xlsx")
