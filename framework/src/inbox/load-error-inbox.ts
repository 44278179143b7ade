import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as ErrorInboxRoutes from './error-inbox-routes.ts'

// Loaded on first use: most processes never show the pages.
const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

export function loadErrorInbox(): typeof ErrorInboxRoutes {
  return require(`./error-inbox-routes${ending}`)
}
