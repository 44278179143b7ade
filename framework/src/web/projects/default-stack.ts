import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Compression } from '../middlewares/compression.ts'
import { Forms } from '../middlewares/forms.ts'
import { RequestIds } from '../middlewares/request-ids.ts'
import { SecureHeaders } from '../middlewares/secure-headers.ts'
import { Statics } from '../middlewares/statics.ts'
import type { Middleware } from '../router/middleware.ts'

/** Parts of the default stack to replace; `null` leaves one out. */
export interface DefaultStackParts {
  readonly requestIds?: Middleware | null
  readonly secureHeaders?: Middleware | null
  readonly compression?: Middleware | null
  readonly statics?: Middleware | null
  readonly forms?: Middleware | null
}

/**
 * The middlewares of a web project, outermost first: request ids, secure headers, compression, the
 * files of `<root>/public` if there is such a folder, forms.
 */
export function defaultStack(root: string, parts: DefaultStackParts = {}): Middleware[] {
  const {
    requestIds = new RequestIds(),
    secureHeaders = new SecureHeaders(),
    compression = new Compression(),
    statics = publicFiles(root),
    forms = new Forms(),
  } = parts
  const stack = [requestIds, secureHeaders, compression, statics, forms]
  return stack.filter((part) => part !== null)
}

function publicFiles(root: string): Statics | null {
  const folder = join(root, 'public')
  return existsSync(folder) ? new Statics(folder) : null
}
