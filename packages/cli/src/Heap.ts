/**
 * An import holds little and leaves much garbage behind. V8 collects when the heap has grown to a multiple of what is alive; half as much again
 * keeps a million rows within the memory of ten thousand, at a few percent of CPU (docs/decisions/005).
 */
import { setFlagsFromString } from "node:v8"

setFlagsFromString("--heap-growing-percent=50")
