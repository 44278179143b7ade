import { win32 } from 'node:path'

/**
 * A `Content-Disposition` that saves the answer under a name. Names beyond plain ASCII come twice:
 * a readable stand-in for old clients, and the true one encoded.
 */
export function attachment(name: string): string {
  // The Windows notation knows both separators.
  const base = win32.basename(name).toWellFormed()
  const plain = base.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const line = `attachment; filename="${plain}"`
  return plain === base ? line : `${line}; filename*=UTF-8''${encodeExtended(base)}`
}

// `encodeURIComponent` leaves four characters that an extended value may not hold.
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
}
