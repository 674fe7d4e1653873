import { it } from "@effect/vitest"
import { Effect } from "effect"
import { buyer } from "../Planted.ts"

it.effect("leaks", () => Effect.log(`of ${buyer}`))
