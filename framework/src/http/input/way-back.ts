import { InvalidInput } from '../errors/invalid-input.ts'
import { CsrfOrigins, isBrowserForm } from '../middlewares/csrf-origins.ts'
import { isSafe } from '../request/request.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { fieldErrors, sendBack } from './form-responses.ts'
import type { FieldErrors } from './form-responses.ts'
import type { FormPath } from './form-path.ts'
import { isSecretField } from './old-input.ts'
import { inputFields } from './read-input.ts'
import type { InputFields } from './read-input.ts'

/** Turns what a handler has thrown into a response, or throws it again. */
export type Recover = (
  error: unknown,
  request: Request,
  response: Response,
) => Response | Promise<Response>

/** Of all messages together; a session holds at most 64 KiB. */
const maxMessages = 8_192

/**
 * Sends browsers back to their form if its input is invalid, with the messages and the input. Inside the
 * middlewares, unlike error pages: the session must still be saved.
 */
export function wayBack(form: FormPath | null, url: string | null): Recover {
  const origins = new CsrfOrigins([])
  origins.own = url === null ? null : new URL(url).origin
  return (error, request, response) => {
    if (!(error instanceof InvalidInput) || !canGoBack(error, request)) throw error
    const to = form === null ? origins.page(request) : form(request.params)
    if (to === null) throw error
    return goBack(error, request, response, to)
  }
}

async function goBack(
  { issues }: InvalidInput,
  request: Request,
  response: Response,
  to: string,
): Promise<Response> {
  const fields = inputFields((await request.form()).pairs)
  const errors = storable(fieldErrors(issues), fields)
  return sendBack(request, response, { to, errors, fields })
}

function canGoBack({ part }: InvalidInput, request: Request): boolean {
  if (part !== 'body' || isSafe(request.method) || request.sessions === null) return false
  return request.hasBody && isBrowserForm(request)
}

// Sessions are stored, so a message must not quote a password, nor a text of a megabyte.
function storable(errors: FieldErrors, fields: InputFields): FieldErrors {
  let left = maxMessages
  const kept: Record<string, readonly string[]> = {}
  for (const [field, messages] of Object.entries(errors)) {
    const shown = messages.map((message) => (quotes(message, field, fields) ? generic : message))
    left -= field.length + shown.join('').length
    if (left < 0) break
    kept[field] = [...new Set(shown)]
  }
  return kept
}

const generic = 'This value is not valid.'

/** A shorter text may well be a part of the message without being a quotation. */
const minQuoted = 6

function quotes(message: string, field: string, fields: InputFields): boolean {
  const value = fields[field]
  if (!isSecretField(field) || typeof value !== 'string') return false
  if (message.includes(JSON.stringify(value))) return true
  return value.length >= minQuoted && message.includes(value)
}
