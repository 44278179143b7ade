import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Compression } from '../middlewares/compression.ts'
import { Csrf } from '../middlewares/csrf.ts'
import { Forms } from '../middlewares/forms.ts'
import { RequestIds } from '../middlewares/request-ids.ts'
import { SecureHeaders } from '../middlewares/secure-headers.ts'
import { Sessions } from '../session/sessions.ts'
import { Statics } from '../middlewares/statics.ts'
import type { Middleware } from '../router/middleware.ts'
import { Submissions } from '../submissions/submissions.ts'

/** Parts of the default stack to replace; `null` leaves one out. */
export interface DefaultStackParts {
  readonly requestIds?: Middleware | null
  readonly secureHeaders?: Middleware | null
  readonly compression?: Middleware | null
  readonly statics?: Middleware | null
  /** What makes a double click harmless; it comes with `Sessions`. */
  readonly submissions?: Middleware | null
  /** There are none unless given: `new Sessions(store)`. */
  readonly sessions?: Middleware | null
  /** The guard against forged forms, which comes with sessions. */
  readonly csrf?: Middleware | null
  readonly forms?: Middleware | null
}

/**
 * The middlewares of a web project, outermost first: request ids, secure headers, compression, the
 * files of `<root>/public` if there is such a folder; if sessions are given, what makes a double click
 * harmless, the sessions, and the guard against forged forms; forms. Rate limits belong to routes
 * and run before all of them.
 */
export function defaultStack(root: string, parts: DefaultStackParts = {}): Middleware[] {
  const {
    requestIds = new RequestIds(),
    secureHeaders = new SecureHeaders(),
    compression = new Compression(),
    statics = publicFiles(root),
    sessions = null,
    submissions = sessions instanceof Sessions ? new Submissions(sessions) : null,
    csrf = sessions === null ? null : new Csrf(),
    forms = new Forms(),
  } = parts
  // Files need no session. The guard looks at a request before its body is read, and reads a form
  // itself where it needs the token in it.
  const outer = [requestIds, secureHeaders, compression, statics]
  return [...outer, submissions, sessions, csrf, forms].filter((part) => part !== null)
}

function publicFiles(root: string): Statics | null {
  const folder = join(root, 'public')
  return existsSync(folder) ? new Statics(folder) : null
}
