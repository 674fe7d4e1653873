/**
 * Searches temporary folders of the tests and of tested code: every file before its removal, and
 * the remaining folders at the end.
 */
import fs from "node:fs"
import { join, relative, sep } from "node:path"
import { saw } from "./Leaks.ts"
import { longest } from "./Planted.ts"
import { lookAtTables } from "./Tables.ts"

const folders = new Set<string>()

const part = 1 << 20
const header = Buffer.from("SQLite format 3")

/** Searches a file in parts; each part includes the end of the one before. */
const lookAtFile = (file: string, where: string): void => {
  const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
  try {
    const buffer = Buffer.allocUnsafe(Math.min(part, fs.fstatSync(handle).size) + longest)
    let carried = 0
    let database: boolean | undefined
    for (;;) {
      const read = fs.readSync(handle, buffer, carried, buffer.length - carried, null)
      if (read === 0) return
      const content = buffer.subarray(0, carried + read)
      if (database === undefined) {
        database = content.subarray(0, header.length).equals(header)
        if (database) lookAtTables(file)
      }
      saw("file", content, database || where.endsWith("-wal") ? `${where} (a database)` : where)
      carried = Math.min(longest, content.length)
      content.copyWithin(0, content.length - carried)
    }
  } finally {
    fs.closeSync(handle)
  }
}

const look = (folder: string, path: string): void => {
  const found = fs.lstatSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) for (const name of fs.readdirSync(path)) look(folder, join(path, name))
  else if (found?.isFile() === true) lookAtFile(path, relative(folder, path))
}

/** Searches a path before its removal. */
const before = (path: unknown): void => {
  const going = String(path)
  for (const folder of folders)
    if (going === folder || going.startsWith(folder + sep)) {
      look(folder, going)
      if (going === folder) folders.delete(folder)
      return
    }
}

/** Searches the remaining folders. */
export const lookAtFolders = (): void => {
  for (const folder of folders) {
    look(folder, folder)
    if (!fs.existsSync(folder)) folders.delete(folder)
  }
}

type Call = (...args: ReadonlyArray<unknown>) => unknown

export const watchFolders = (): void => {
  const keep = (folder: unknown) => void folders.add(String(folder))
  const { mkdtempSync } = fs
  const { mkdtemp } = fs.promises
  const called = fs.mkdtemp as unknown as Call
  Object.assign(fs, {
    mkdtempSync: (...args: [string]) => {
      const folder = mkdtempSync(...args)
      keep(folder)
      return folder
    },
    mkdtemp: (...args: ReadonlyArray<unknown>) => {
      const done = args.at(-1) as Call
      called(...args.slice(0, -1), (error: unknown, folder: unknown) => {
        if (error === null) keep(folder)
        done(error, folder)
      })
    }
  })
  Object.assign(fs.promises, {
    mkdtemp: async (...args: [string]) => {
      const folder = await mkdtemp(...args)
      keep(folder)
      return folder
    }
  })
  for (const [where, names] of [
    [fs, ["rmSync", "rm", "unlinkSync", "unlink", "rmdirSync"]],
    [fs.promises, ["rm", "unlink", "rmdir"]]
  ] as const)
    for (const name of names) {
      const remove = (where as unknown as Record<string, Call>)[name]!
      Object.assign(where, {
        [name]: (...args: ReadonlyArray<unknown>) => {
          before(args[0])
          return remove(...args)
        }
      })
    }
}
