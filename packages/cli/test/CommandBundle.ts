/**
 * Provides the command to tests, which start it hundreds of times: the single published file, built
 * from the sources before the first test. `.ci/run` runs the command directly from the repository.
 */
import type { TestProject } from "vitest/node"
import { keptCommand } from "../../../scripts/artefact/KeptCommand.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Path of the program's file. */
    command: string
  }
}

export const setup = async ({ provide }: TestProject): Promise<void> => {
  provide("command", await keptCommand())
}
