import { win32 } from 'node:path'

/**
 * A `Content-Disposition` that makes browsers save the response under a name. A name that is not plain
 * ASCII is sent twice: as an ASCII approximation for old clients, and encoded.
 */
export function attachment(name: string): string {
  // The Windows version accepts both separators.
  const base = win32.basename(name).toWellFormed()
  const plain = base.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const line = `attachment; filename="${plain}"`
  return plain === base ? line : `${line}; filename*=UTF-8''${encodeExtended(base)}`
}

// `encodeURIComponent` leaves four characters that are not allowed in an extended value.
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
}
