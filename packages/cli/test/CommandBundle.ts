/**
 * The command as tests start it, hundreds of times: the one file that is published, made of the sources before the first test. As it is in the
 * repository `.ci/run` runs it.
 */
import type { TestProject } from "vitest/node"
import { keptCommand } from "../../../scripts/artefact/KeptCommand.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The program's file. */
    command: string
  }
}

export const setup = async ({ provide }: TestProject): Promise<void> => {
  provide("command", await keptCommand())
}
