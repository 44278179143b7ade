import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as TerminalException from './terminal-exception.ts'

/** Loaded with the first exception on a screen: it brings the highlighting of sources. */
export function loadTerminalException(): typeof TerminalException {
  const ending = extname(import.meta.filename)
  return createRequire(import.meta.url)(`./terminal-exception${ending}`)
}
