import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import { wantsJson } from '../errors/error-format.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { inputIssues } from '../errors/invalid-input.ts'
import type { InputIssue } from '../errors/invalid-input.ts'
import { oldInput } from './old-input.ts'
import type { InputFields } from './read-input.ts'

/** The page a form redirects to, and the message shown there. */
export interface FormOutcome {
  readonly to: string
  readonly message: string
}

/** A message that the next page shows. */
export interface FlashMessage {
  readonly kind: 'success' | 'error' | 'info'
  readonly text: string
}

/** How to refuse a form. */
export interface FormRefusal extends FormOutcome {
  /** For JSON clients; browsers are redirected. */
  readonly status: number
  /** The submitted fields, if the form is shown again. */
  readonly fields?: InputFields
}

/** Error messages, by field. Those of the form as a whole are under an empty name. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** The parsed values of a form, or its errors. */
export type CheckedInput<Values> =
  | { readonly values: Values; readonly errors: null }
  | { readonly values: null; readonly errors: FieldErrors }

/** The errors of a form, and the page that shows it again. */
export interface FormMistakes {
  readonly to: string
  readonly errors: FieldErrors
  readonly fields: InputFields
}

/** Redirects to another page; JSON clients get its path. */
export function redirectTo(request: Request, response: Response, to: string): Response {
  return wantsJson(request) ? response.json({ redirect: to }) : response.redirect(to)
}

/** Redirects with a success message. */
export function succeed(
  request: Request,
  response: Response,
  { to, message }: FormOutcome,
): Response {
  flashMessage(request, { kind: 'success', text: message })
  return redirectTo(request, response, to)
}

/** Redirects with an error message, or sends it to a JSON client. */
export function refuse(
  request: Request,
  response: Response,
  { to, message, status, fields = {} }: FormRefusal,
): Response {
  if (wantsJson(request)) return response.status(status).json({ error: request.t(message) })
  flashMessage(request, { kind: 'error', text: message })
  keepInput(request, fields)
  return response.redirect(to)
}

/**
 * Shows the form again with its errors, in the language of the request if they are keys, and the submitted fields,
 * except secrets: the page finds them in the
 * session as `errors` and `old`. JSON clients get `{ errors }` with 422.
 */
export function sendBack(
  request: Request,
  response: Response,
  { to, errors, fields }: FormMistakes,
): Response {
  const { t } = request
  const shown = Object.entries(errors).map(([name, texts]) => [name, texts.map((text) => t(text))])
  const texts = Object.fromEntries(shown)
  if (wantsJson(request)) return response.status(422).json({ errors: texts })
  request.session.flash('errors', texts)
  keepInput(request, fields)
  return response.redirect(to)
}

/** Checks a value with a schema: for forms that a handler shows again itself. */
export async function checkInput<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): Promise<CheckedInput<Output>> {
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return { values: result.value, errors: null }
  return { values: null, errors: fieldErrors(inputIssues(result.issues)) }
}

/** Messages by field: those of an item are under the name of its list. */
export function fieldErrors(issues: readonly InputIssue[]): FieldErrors {
  const errors = new Map<string, string[]>()
  for (const { path, message } of issues) {
    const [field = ''] = path
    const messages = errors.get(field)
    if (messages === undefined) errors.set(field, [message])
    else if (!messages.includes(message)) messages.push(message)
  }
  return Object.fromEntries(errors)
}

/** Leaves a message for the next page of this visitor. */
export function flashMessage({ session }: Request, message: FlashMessage): void {
  session.flash('message', message)
}

/** Takes the message for this page; null if there is none. */
export async function takeMessage({ session, t }: Request): Promise<FlashMessage | null> {
  const message = await session.flash('message')
  // Of a form that has expired, see `Csrf`.
  if (typeof message === 'string') return { kind: 'error', text: t(message) }
  return isMessage(message) ? { ...message, text: t(message.text) } : null
}

function isMessage(value: unknown): value is FlashMessage {
  if (typeof value !== 'object' || value === null) return false
  if (!('kind' in value) || !('text' in value) || typeof value.text !== 'string') return false
  return value.kind === 'success' || value.kind === 'error' || value.kind === 'info'
}

function keepInput({ session }: Request, fields: InputFields): void {
  const old = oldInput(fields)
  if (Object.keys(old).length > 0) session.flash('old', old)
}
