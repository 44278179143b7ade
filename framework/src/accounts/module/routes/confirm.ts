import type { Accounts } from '../account-services.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import { redirectTo, sendBack } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Handler } from '../../../http/router/route.ts'

/** Asks somebody who is signed in to prove again who they are. */
export function showConfirm({ confirmation, pages }: Accounts): Handler {
  return async (request, response) => {
    const methods = await confirmation.methodsOf(request)
    return pages.show(request, response, 'accounts/confirm', { methods })
  }
}

/** Takes the proof and goes on to the page that was asked for. */
export function confirm({ confirmation, limits, signIn }: Accounts): Handler<{ method: string }> {
  return async (request, response) => {
    const { identity, params } = request
    if (identity === null) throw new HttpError(401)
    const fields = await readFields(request)
    const check = (): Promise<boolean> => confirmation.confirm(request, params.method, fields)
    // Codes are counted together with those of sign-ins.
    const isConfirmed =
      params.method === 'password'
        ? await limits.passwordChecks.run(request, identity.email ?? identity.id, check)
        : await limits.factorChecks.run(request, identity.id, check)
    if (!isConfirmed) {
      const field = proofName(params.method)
      const isOffered = (await confirmation.methodsOf(request)).includes(params.method)
      // Of a page from before the account got a factor: then the password is not enough.
      const text = isOffered ? `This ${field} is not correct.` : 'Please confirm as this page asks.'
      const errors = { [field]: [text] }
      return sendBack(request, response, { to: '/confirm', errors, fields })
    }
    return redirectTo(request, response, await signIn.destination(request, '/account'))
  }
}

/** What pages call the proof of a factor, or of another method to confirm with. */
export function proofName(method: string): string {
  return ['password', 'passkey'].includes(method) ? method : 'code'
}
