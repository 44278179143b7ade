import { randomUUID } from 'node:crypto'
import { HttpError } from '../errors/http-error.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { CsrfState } from './csrf-state.ts'
import { csrfToken, presentCsrfToken, tokenField } from './csrf-token.ts'

// Views are synchronous and cannot read the session, and most pages have no form. So views print a
// placeholder, which is replaced by the token only if it is there.

/** Values for `it` in views. On an error page `csrfToken` is empty if its forms could not be sent. */
export function placeholderValues(state: CsrfState): Readonly<Record<string, string>> {
  // Random, so that no input of a visitor can be taken for it.
  if (state.placeholder === '') state.placeholder = `csrf-${randomUUID()}`
  const csrfToken = state.isErrorPage && state.token === '' ? '' : state.placeholder
  return { csrf: `<input type="hidden" name="${tokenField}" value="${csrfToken}">`, csrfToken }
}

/** Puts the token on a page with the placeholder. */
export function fillPlaceholder(
  state: CsrfState,
  request: Request,
  response: Response,
): Response | Promise<Response> {
  return !state.isErrorPage && isIn(state, response) ? fillNow(state, request, response) : response
}

/**
 * Reads the token that an error page may need. None is created, because a failed request saves nothing.
 * @throws `thrown`, always.
 */
export async function readTokenAfterError(
  state: CsrfState,
  request: Request,
  response: Response,
  thrown: unknown,
): Promise<never> {
  const status = thrown instanceof HttpError ? thrown.status : 500
  await readTokenForError(state, request, response, status)
  throw thrown
}

/** The same for a status that is sent without an error; `fillErrorPage` then fills the page. */
export async function readTokenForError(
  state: CsrfState,
  request: Request,
  response: Response,
  status: number,
): Promise<void> {
  state.isErrorPage = true
  if (!response.hasView(`errors/${status}`)) return
  state.token = (await presentCsrfToken(request).catch(() => null)) ?? ''
}

/** Puts the token, if it was read, on a page rendered outside the middleware chain. */
export function fillErrorPage(state: CsrfState, response: Response): void {
  if (isIn(state, response)) replace(state, response)
}

async function fillNow(state: CsrfState, request: Request, response: Response): Promise<Response> {
  state.token = await csrfToken(request)
  replace(state, response)
  return response
}

function isIn({ placeholder }: CsrfState, { body }: Response): boolean {
  return placeholder !== '' && typeof body === 'string' && body.includes(placeholder)
}

function replace({ placeholder, token }: CsrfState, response: Response): void {
  const { body, headers } = response
  if (typeof body !== 'string') return
  response.replaceBody(body.replaceAll(placeholder, token))
  // The page now belongs to one visitor: a shared cache must not keep it, whatever the handler set.
  if (!/\b(?:private|no-store)\b/i.test(headers.get('Cache-Control') ?? '')) {
    headers.set('Cache-Control', 'private, no-cache')
  }
}
