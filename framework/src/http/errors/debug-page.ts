import { Page } from '../../errors/page/page.ts'
import type { PageContext } from '../../errors/page/page.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { debugContext } from './debug-context.ts'

/** Returns more sections for the debug page of a request. */
export type MoreContext = (request: Request) => PageContext

export interface DebugPageOptions {
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

/** Where the inspector shows this request; empty if it is not recorded. */
function inspectorUrl({ id, activity }: Request): string {
  return activity?.recorded === true ? `/inspect/request/${encodeURIComponent(id)}` : ''
}
