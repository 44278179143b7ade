import type { PageContext } from '../../base/debug-page/page.ts'
import { REDACTED } from '../../base/mask-text.ts'
import type { Request } from '../request/request.ts'
import { shownPath } from './report-context.ts'

/** What the debug page tells of the request. The page replaces secrets in all of it. */
export function debugContext(request: Request): PageContext {
  return withoutEmpty({
    Request: {
      method: request.method,
      path: shownPath(request),
      peer: request.peer,
      id: request.id,
    },
    Route: { pattern: request.route ?? 'none', ...request.params },
    Query: { ...request.query },
    Headers: { ...request.headers },
    Cookies: Object.fromEntries([...request.cookies.all().keys()].map((name) => [name, REDACTED])),
    Fields: fieldsOf(request),
    Process: {
      node: process.version,
      pid: process.pid,
      uptime: `${process.uptime().toFixed(1)} s`,
    },
  })
}

function withoutEmpty(sections: Record<string, object>): PageContext {
  return Object.fromEntries(
    Object.entries(sections).filter(([, section]) => Object.keys(section).length > 0),
  )
}

function fieldsOf(request: Request): Record<string, unknown> {
  try {
    return { ...request.fields }
  } catch {
    // A form that nobody has read yet; an error page is no reason to.
    return {}
  }
}
