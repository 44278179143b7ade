import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as DebugPage from './debug-page.ts'
import type * as DevelopmentPayload from './development-payload.ts'

// Loaded with the first error that shows details, so never in production. `require`, because an error
// response is built synchronously.
const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

export function loadDebugPage(): typeof DebugPage {
  return require(`./debug-page${ending}`)
}

export function loadDevelopmentPayload(): typeof DevelopmentPayload {
  return require(`./development-payload${ending}`)
}
