import type { PageContext } from '../../errors/page/page.ts'
import { REDACTED } from '../../base/mask-text.ts'
import type { Request } from '../request/request.ts'
import { shownPath } from './report-context.ts'

/** The request data shown on the debug page, which masks secrets in it. */
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
    // The form has not been read, and an error page must not start reading it.
    return {}
  }
}
