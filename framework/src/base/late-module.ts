import { createRequire } from 'node:module'
import { extname } from 'node:path'

/**
 * Loads a module when it is first needed, and unlike `import()` without waiting: most processes start faster
 * without it. `path` is relative to the file whose `import.meta` is given, and has no ending.
 */
export function lateModule(meta: ImportMeta, path: string): () => ReturnType<NodeJS.Require> {
  const require = createRequire(meta.url)
  return () => require(path + extname(meta.filename))
}
