import type { Position } from '../stack/source-map.ts'

const absolute = /^(?:\/|[A-Za-z]:[\\/])/

/** The URL that opens a source position in Visual Studio Code; empty when `file` is not an absolute path. */
export function editorLink({ file, line, column }: Position): string {
  if (!absolute.test(file)) return ''
  const [drive = '', ...parts] = file.startsWith('/') ? file.split('/') : file.split(/[\\/]/)
  const path = [drive, ...parts.map((part) => encodeURIComponent(part.toWellFormed()))].join('/')
  const slash = path.startsWith('/') ? '' : '/'
  return `vscode://file${slash}${path}:${Math.max(1, line)}:${Math.max(1, column)}`
}
