import { hash } from 'node:crypto'
import { tokenField, tokenHeader } from '../middlewares/csrf-token.ts'
import { isForm } from '../request/form.ts'
import type { Request } from '../request/request.ts'
import { wantsJson } from '../errors/error-format.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** By what a submission is found again. */
export interface SubmissionKey {
  /** What it is stored under. It leads to nothing of what was sent. */
  readonly digest: string
  /** The token as the page had it, behind a mask of its own; it is never stored. */
  readonly token: string
}

/**
 * Whether a browser may have sent this twice by a double click: a form, on the way to another page.
 * Scripts send the token in a header and know what they send; they are left alone.
 */
export function isSubmission(request: Request): boolean {
  if (safeMethods.has(request.method) || !request.hasBody || !isForm(request.type)) return false
  if (request.header(tokenHeader) !== undefined || wantsJson(request)) return false
  const mode = request.header('sec-fetch-mode')
  return mode === undefined || mode === 'navigate'
}

/**
 * The key of a submission; null for one that carries no token or files. Each page masks its token
 * afresh, so two submissions with the same mask and the same fields are of one page and one wish.
 */
export async function submissionKey(request: Request): Promise<SubmissionKey | null> {
  const { fields, pairs, files } = await request.form()
  const token = fields[tokenField] ?? ''
  if (token === '' || files.length > 0) return null
  const sent = JSON.stringify([request.method, request.URI, token, pairs])
  return { digest: hash('sha256', `form submission ${sent}`, 'hex'), token }
}
