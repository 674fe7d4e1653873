#!/usr/bin/env node
/**
 * Even a Node version that is too old must read this file, so it checks the version before
 * importing anything.
 */
const needed = "22.19"

const [major, minor] = process.versions.node.split(".").map(Number) as [number, number]
const [leastMajor, leastMinor] = needed.split(".").map(Number) as [number, number]

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  process.stderr.write(`connector needs Node ${needed} or newer, and this is Node ${process.versions.node}.\n`)
  process.exitCode = 1
} else if (import.meta.url.endsWith("?run")) {
  // start.mjs of the published package has already set Node's options (scripts/artefact)
  void import("./Run.ts")
} else {
  void import("./Start.ts")
}
