import { HttpError, readFields, redirectTo, sendBack } from 'framework/http'
import type { Handler } from 'framework/http'
import { proofName } from '../../accounts/proof-name.ts'
import type { Services } from '../../services.ts'

/** Asks somebody who is signed in to prove again who they are. */
export function showConfirm({ confirmation, pages }: Services): Handler {
  return async (request, response) => {
    const methods = await confirmation.methodsOf(request)
    return pages.show(request, response, 'confirm', { methods })
  }
}

/** Takes the proof and goes on to the page that was asked for. */
export function confirm({ confirmation, limits, signIn }: Services): Handler<{ method: string }> {
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
