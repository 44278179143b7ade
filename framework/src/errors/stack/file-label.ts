import type { Frame } from './frames.ts'

const modules = /^.*[\\/](node_modules[\\/])/

/**
 * A file path for display: relative to `root` when inside it, else from its last `node_modules` on,
 * else the absolute path.
 */
export function fileLabel(file: string, root: string): string {
  const folder = /[\\/]$/.test(root) ? root.slice(0, -1) : root
  const after = file.charCodeAt(folder.length)
  if ((after === 0x2f || after === 0x5c) && file.startsWith(folder)) {
    return file.slice(folder.length + 1)
  }
  return file.replace(modules, '$1')
}

/** The place of a frame: `src/users.ts:12:9`, or V8's name where there is no file. */
export function placeLabel({ file, line, column }: Frame, root: string): string {
  const label = fileLabel(file, root)
  if (line === 0) return label
  return `${label}:${line}${column === 0 ? '' : `:${column}`}`
}
