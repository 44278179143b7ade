/** Opens a place in Visual Studio Code. */
export const DEFAULT_EDITOR = 'vscode://file/{file}:{line}:{column}'

const absolute = /^(?:\/|[A-Za-z]:[\\/])/
// From the first character on: browsers drop blanks and controls before and inside of a scheme.
const scheme = /^([A-Za-z][A-Za-z\d+.-]*):/
// What a click on these does is decided by the address itself, and a path is part of it.
const running = new Set(['javascript', 'data', 'vbscript', 'blob'])

/**
 * The address that opens a place in an editor, or an empty text for what is no file. A template
 * that is no address of an editor counts as not given.
 */
export function editorLink(
  template: string,
  { file, line, column }: { readonly file: string; readonly line: number; readonly column: number },
): string {
  if (!absolute.test(file)) return ''
  const chosen = isEditor(template) ? template : DEFAULT_EDITOR
  const path = encodedPath(file)
  // In one pass: a path that holds `{line}` keeps it.
  return chosen.replaceAll(/(\/?)\{(file|line|column)\}/g, (_, slash: string, part: string) => {
    if (part === 'line') return `${slash}${Math.max(1, line)}`
    if (part === 'column') return `${slash}${Math.max(1, column)}`
    return slash !== '' && path.startsWith('/') ? path : slash + path
  })
}

function isEditor(template: string): boolean {
  const found = scheme.exec(template)?.[1]
  return found !== undefined && !running.has(found.toLowerCase())
}

function encodedPath(file: string): string {
  const parts = /^[A-Za-z]:/.test(file) ? file.split(/[\\/]/) : file.split('/')
  return parts
    .map((part, index) =>
      index === 0 && part.endsWith(':') ? part : encodeURIComponent(part.toWellFormed()),
    )
    .join('/')
}
