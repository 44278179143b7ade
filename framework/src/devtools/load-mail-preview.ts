import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as MailPreviewRoutes from './mail-preview-routes.ts'

// Loaded on first use: only developers need it.
const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

export function loadMailPreview(): typeof MailPreviewRoutes {
  return require(`./mail-preview-routes${ending}`)
}
