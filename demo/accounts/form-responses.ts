import { oldInput, wantsJson } from 'framework/http'
import type { Request, Response } from 'framework/http'
import type { FieldErrors, Fields } from './account-forms.ts'

/** The page a form redirects to, and the message shown there. */
export interface Outcome {
  readonly to: string
  readonly message: string
}

/** A message that the next page shows. */
export interface Flash {
  readonly kind: 'success' | 'error' | 'info'
  readonly text: string
}

/** Redirects to another page; JSON clients get its path. */
export function redirectTo(request: Request, response: Response, to: string): Response {
  return wantsJson(request) ? response.json({ redirect: to }) : response.redirect(to)
}

/** Redirects with a success message. */
export function succeed(request: Request, response: Response, { to, message }: Outcome): Response {
  flash(request, { kind: 'success', text: message })
  return redirectTo(request, response, to)
}

/** How to refuse a form. */
export interface Refusal extends Outcome {
  /** For JSON clients; browsers are redirected. */
  readonly status: number
  /** The submitted fields, if the form is shown again. */
  readonly fields?: Fields
}

/** Redirects with an error message, or answers a JSON client with it. */
export function refuse(
  request: Request,
  response: Response,
  { to, message, status, fields = {} }: Refusal,
): Response {
  if (wantsJson(request)) return response.status(status).json({ error: message })
  flash(request, { kind: 'error', text: message })
  keepInput(request, fields)
  return response.redirect(to)
}

/** The errors of a form, and the page that shows it again. */
export interface Mistakes {
  readonly to: string
  readonly errors: FieldErrors
  readonly fields: Fields
}

/** Shows the form again with its errors and the submitted fields, except passwords. */
export function sendBack(
  request: Request,
  response: Response,
  { to, errors, fields }: Mistakes,
): Response {
  if (wantsJson(request)) return response.status(422).json({ errors })
  request.session.flash('errors', errors)
  keepInput(request, fields)
  return response.redirect(to)
}

function keepInput({ session }: Request, fields: Fields): void {
  const old = oldInput(fields)
  if (Object.keys(old).length > 0) session.flash('old', old)
}

function flash({ session }: Request, message: Flash): void {
  session.flash('message', message)
}
