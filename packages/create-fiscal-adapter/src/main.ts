#!/usr/bin/env node
import { create } from "./create.ts"

const [name] = process.argv.slice(2)
try {
  if (name === undefined) throw new Error("Say what the adapter is called: npm create fiscal-adapter acme-books")
  process.stdout.write(`${create(name, process.cwd())}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
