/** Opens a source position in Visual Studio Code. */
export const DEFAULT_EDITOR = 'vscode://file/{file}:{line}:{column}'

const absolute = /^(?:\/|[A-Za-z]:[\\/])/
// Anchored at the start: browsers ignore blanks and control characters before and inside a scheme.
const scheme = /^([A-Za-z][A-Za-z\d+.-]*):/
// Schemes whose content runs in the page or is shown by it; the path would become part of that.
const unsafeSchemes = new Set(['javascript', 'data', 'vbscript', 'blob'])

/**
 * The URL that opens a source position in an editor; empty when `file` is not an absolute path.
 * A template that is not an editor URL is replaced by the default.
 */
export function editorLink(
  template: string,
  { file, line, column }: { readonly file: string; readonly line: number; readonly column: number },
): string {
  if (!absolute.test(file)) return ''
  const chosen = isEditor(template) ? template : DEFAULT_EDITOR
  const path = encodedPath(file)
  // In one pass, so a path that contains `{line}` stays intact.
  return chosen.replaceAll(/(\/?)\{(file|line|column)\}/g, (_, slash: string, part: string) => {
    if (part === 'line') return `${slash}${Math.max(1, line)}`
    if (part === 'column') return `${slash}${Math.max(1, column)}`
    return slash !== '' && path.startsWith('/') ? path : slash + path
  })
}

function isEditor(template: string): boolean {
  const found = scheme.exec(template)?.[1]
  return found !== undefined && !unsafeSchemes.has(found.toLowerCase())
}

function encodedPath(file: string): string {
  const parts = /^[A-Za-z]:/.test(file) ? file.split(/[\\/]/) : file.split('/')
  return parts
    .map((part, index) =>
      index === 0 && part.endsWith(':') ? part : encodeURIComponent(part.toWellFormed()),
    )
    .join('/')
}
