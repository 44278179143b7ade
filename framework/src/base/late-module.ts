/**
 * Loads a module when it is first needed, and unlike `import()` without waiting: most processes start faster
 * without it. `path` is relative to the file whose `import.meta` is given, and has no ending.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- `typeof import` cannot be inferred from a path
export function lateModule<Module>({ url, filename }: ImportMeta, path: string): () => Module {
  let loaded: Module | null = null
  return () => (loaded ??= load())

  function load(): ReturnType<NodeJS.Require> {
    const { createRequire } = process.getBuiltinModule('node:module')
    return createRequire(url)(path + filename.slice(filename.lastIndexOf('.')))
  }
}
