import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { HostProcess } from "@fiscal-connector/core/host"
import { Effect, FileSystem, Layer, Path, PlatformError, Stream } from "effect"
import * as nodePath from "node:path"
import { pathToFileURL } from "node:url"

const named =
  (file: string, found: string) =>
  (error: PlatformError.PlatformError): PlatformError.PlatformError => {
    const { reason } = error
    if (reason._tag === "BadArgument" || reason.pathOrDescriptor !== found || found === file) return error
    const { _tag, cause, description, method, module, syscall } = reason
    return PlatformError.systemError({ _tag, cause, description, method, module, syscall, pathOrDescriptor: file })
  }

const filesIn = (
  { cwd, temporary }: HostProcess.HostProcessShape,
  fs: FileSystem.FileSystem
): FileSystem.FileSystem => {
  const at = (file: string) => HostProcess.pathIn(cwd, file)
  const one =
    <Rest extends ReadonlyArray<unknown>, A>(
      call: (file: string, ...rest: Rest) => Effect.Effect<A, PlatformError.PlatformError>
    ) =>
    (file: string, ...rest: Rest) =>
      Effect.mapError(call(at(file), ...rest), named(file, at(file)))
  const two =
    <Rest extends ReadonlyArray<unknown>, A>(
      call: (from: string, to: string, ...rest: Rest) => Effect.Effect<A, PlatformError.PlatformError>
    ) =>
    (from: string, to: string, ...rest: Rest) =>
      call(at(from), at(to), ...rest).pipe(Effect.mapError(named(from, at(from))), Effect.mapError(named(to, at(to))))
  const inside = <Options extends { readonly directory?: string | undefined }>(options: Options | undefined) => ({
    ...options,
    directory: options?.directory === undefined ? temporary : at(options.directory)
  })
  return FileSystem.make({
    access: one(fs.access),
    chmod: one(fs.chmod),
    chown: one(fs.chown),
    copy: two(fs.copy),
    copyFile: two(fs.copyFile),
    link: two(fs.link),
    lstat: one(fs.lstat),
    makeDirectory: one(fs.makeDirectory),
    makeTempDirectory: (options) => fs.makeTempDirectory(inside(options)),
    makeTempDirectoryScoped: (options) => fs.makeTempDirectoryScoped(inside(options)),
    makeTempFile: (options) => fs.makeTempFile(inside(options)),
    makeTempFileScoped: (options) => fs.makeTempFileScoped(inside(options)),
    open: (file, options) => Effect.mapError(fs.open(at(file), options), named(file, at(file))),
    readDirectory: one(fs.readDirectory),
    readDirectoryEntries: one(fs.readDirectoryEntries),
    readFile: one(fs.readFile),
    readLink: one(fs.readLink),
    realPath: one(fs.realPath),
    remove: one(fs.remove),
    rename: two(fs.rename),
    stat: one(fs.stat),
    symlink: (target, file) => Effect.mapError(fs.symlink(target, at(file)), named(file, at(file))),
    truncate: one(fs.truncate),
    utimes: one(fs.utimes),
    watch: (file, options) => Stream.mapError(fs.watch(at(file), options), named(file, at(file))),
    writeFile: one(fs.writeFile)
  })
}

const pathsIn = (cwd: string, path: Path.Path): Path.Path => ({
  ...path,
  resolve: (...parts) => nodePath.resolve(cwd, ...parts),
  relative: (from, to) => nodePath.relative(nodePath.resolve(cwd, from), nodePath.resolve(cwd, to)),
  toFileUrl: (file) => Effect.sync(() => pathToFileURL(nodePath.resolve(cwd, file)))
})

export const layer: Layer.Layer<FileSystem.FileSystem | Path.Path> = Layer.unwrap(
  Effect.map(HostProcess.HostProcess, (host) => {
    if (host.cwd === ".") return Layer.mergeAll(NodeFileSystem.layer, NodePath.layer)
    return Layer.mergeAll(
      Layer.effect(
        FileSystem.FileSystem,
        Effect.map(FileSystem.FileSystem, (fs) => filesIn(host, fs))
      ).pipe(Layer.provide(NodeFileSystem.layer)),
      Layer.effect(
        Path.Path,
        Effect.map(Path.Path, (path) => pathsIn(host.cwd, path))
      ).pipe(Layer.provide(NodePath.layer))
    )
  })
)
