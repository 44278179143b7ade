import { REDACTED } from '../../base/mask-text.ts'
import { Page } from '../../errors/page/page.ts'
import type { PageContext } from '../../errors/page/page.ts'
import type { Request } from '../request/request.ts'
import { shownPath } from '../request/shown-path.ts'
import type { Response } from '../response/response.ts'

/** Returns more sections for the debug page of a request. */
export type MoreContext = (request: Request) => PageContext

interface DebugPageOptions {
  /** Folder that file paths are relative to. */
  readonly root: string
  readonly context: MoreContext | undefined
}

/** Fills the response with the debug page. Its CSP allows nothing but its own inline parts. */
export function debugPage(
  request: Request,
  response: Response,
  error: Error,
  { root, context: more }: DebugPageOptions,
): Response {
  const { nonce } = response
  const context = { ...debugContext(request), ...more?.(request) }
  response.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; ` +
      `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  const inspector = inspectorUrl(request)
  return response.html(Page.render(error, context, { nonce, request: request.id, root, inspector }))
}

// The page masks secrets in it.
function debugContext(request: Request): PageContext {
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

// Empty if the request is not recorded.
function inspectorUrl({ id, activity }: Request): string {
  return activity?.recorded === true ? `/inspect/request/${encodeURIComponent(id)}` : ''
}
