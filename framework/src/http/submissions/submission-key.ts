import { hash } from 'node:crypto'
import { TokenRefused, tokenField, tokenHeader } from '../middlewares/csrf-token.ts'
import { isForm } from '../request/form.ts'
import type { Form } from '../request/form.ts'
import { isSafe } from '../request/request.ts'
import type { Request } from '../request/request.ts'
import { wantsJson } from '../errors/error-format.ts'
import { networkOf } from '../../base/network.ts'
import type { SubmissionKey } from './submission.ts'
import type { SubmissionSlot } from './submission-store.ts'

/**
 * Whether a double click may have sent this: a form submitted by a browser. Scripts, which send the
 * token in a header, are left alone.
 */
export function isSubmission(request: Request): boolean {
  if (isSafe(request.method) || !request.hasBody || !isForm(request.type)) return false
  if (request.header(tokenHeader) !== undefined || wantsJson(request)) return false
  const mode = request.header('sec-fetch-mode')
  return mode === undefined || mode === 'navigate'
}

/**
 * The key of a submission; null if it has no token, or has files. Each rendered page has its own mask,
 * so two submissions with the same masked token and fields are a repeat from the same page.
 */
export async function submissionKey(request: Request): Promise<SubmissionKey | null> {
  const form = await submittedForm(request)
  const token = form?.fields[tokenField] ?? ''
  if (form === null || token === '' || form.files.length > 0) return null
  const sent = JSON.stringify([request.method, request.URI, token, form.pairs])
  return { digest: hash('sha256', `form submission ${sent}`, 'hex'), token }
}

async function submittedForm(request: Request): Promise<Form | null> {
  try {
    return await request.form()
  } catch (error) {
    if (error instanceof TokenRefused) return null
    throw error
  }
}

/** Rows that the guests of one network share. */
const guestSlots = 8

/** Where the submission of somebody who has signed in is kept: in a row of its own. */
export function ownSlot({ digest }: SubmissionKey): SubmissionSlot {
  return { slot: digest, digest }
}

/** Where the submission of a guest is kept: in one of the few rows of the guest's network. */
export function guestSlot({ digest, token }: SubmissionKey, peer: string): SubmissionSlot {
  const number = Number.parseInt(hash('sha256', token, 'hex').slice(0, 8), 16) % guestSlots
  const slot = hash('sha256', `guest submission ${number} ${networkOf(peer)}`, 'hex')
  return { slot, digest }
}
