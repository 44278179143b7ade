import { oldInput, wantsJson } from 'framework/http'
import type { Request, Response } from 'framework/http'
import type { FieldErrors, Fields } from './account-forms.ts'

/** Where a form leads to, and what is said there. */
export interface Outcome {
  readonly to: string
  readonly message: string
}

/** A message on the next page. */
export interface Flash {
  readonly kind: 'success' | 'error' | 'info'
  readonly text: string
}

/** The fields of a form, or of a JSON object: its texts, and `on` for what is true, as boxes send. */
export async function fieldsOf(request: Request): Promise<Fields> {
  if (request.type !== 'application/json') return (await request.form()).fields
  const body = await request.json()
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(typeof body === 'object' ? (body ?? {}) : {})) {
    if (typeof value === 'string') fields[name] = value
    else if (value === true) fields[name] = 'on'
  }
  return fields
}

/** Leads on to another page; scripts are told where it is. */
export function leadTo(request: Request, response: Response, to: string): Response {
  return wantsJson(request) ? response.json({ redirect: to }) : response.redirect(to)
}

/** A form that worked leads on with a message. */
export function succeed(request: Request, response: Response, { to, message }: Outcome): Response {
  flash(request, { kind: 'success', text: message })
  return leadTo(request, response, to)
}

/** What else is known of a form that was refused. */
export interface Refusal extends Outcome {
  /** For scripts; browsers get a page. */
  readonly status: number
  /** What was filled in, if the form is shown again. */
  readonly fields?: Fields
}

/** A form that was refused as a whole. */
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

/** A form that somebody should look at again. */
export interface Mistakes {
  readonly to: string
  readonly errors: FieldErrors
  /** What was filled in. */
  readonly fields: Fields
}

/** A form with mistakes comes back with them, and with what was filled in but its passwords. */
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
