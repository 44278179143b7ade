import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Compression } from '../http/middlewares/compression.ts'
import { Csrf } from '../http/middlewares/csrf.ts'
import { Forms } from '../http/middlewares/forms.ts'
import { RequestIds } from '../http/middlewares/request-ids.ts'
import { SecureHeaders } from '../http/middlewares/secure-headers.ts'
import { Sessions } from '../http/session/sessions.ts'
import { Statics } from '../http/middlewares/statics.ts'
import type { Middleware } from '../http/router/middleware.ts'
import { Submissions } from '../http/submissions/submissions.ts'

/** Middlewares of the default stack to replace; `null` leaves one out. */
export interface DefaultStackParts {
  readonly requestIds?: Middleware | null
  readonly secureHeaders?: Middleware | null
  readonly compression?: Middleware | null
  readonly statics?: Middleware | null
  /**
   * Handles double submissions of a form.
   * @default new Submissions(sessions) if there are sessions
   */
  readonly submissions?: Middleware | null
  /** `new Sessions(store)`. @default null */
  readonly sessions?: Middleware | null
  /** @default new Csrf() if there are sessions */
  readonly csrf?: Middleware | null
  readonly forms?: Middleware | null
}

/**
 * The middlewares of a web project, outermost first: request ids, secure headers, compression, static
 * files of `<root>/public` if that folder exists; with sessions also `Submissions`, `Sessions` and
 * `Csrf`; forms. Rate limits belong to routes and run before all of them.
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
  // Files need no session. Csrf comes before Forms, to check the origin before the body is read; it
  // reads the form itself if it needs the token.
  const outer = [requestIds, secureHeaders, compression, statics]
  return [...outer, submissions, sessions, csrf, forms].filter((part) => part !== null)
}

function publicFiles(root: string): Statics | null {
  const folder = join(root, 'public')
  return existsSync(folder) ? new Statics(folder) : null
}
