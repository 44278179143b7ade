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
