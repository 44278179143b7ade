import type { Accounts } from '../account-services.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import { refuse, succeed, redirectTo, sendBack } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Handler } from '../../../http/router/route.ts'
import { accountOf } from './this-browser.ts'

/** Asks for the second step of a sign-in whose first one is done. */
export function showFactor({ pages, signIn }: Accounts): Handler {
  return async (request, response) => {
    const pending = await signIn.pending(request)
    if (pending === null) return response.redirect('/login')
    const factors = await signIn.factorsFor(pending)
    return pages.show(request, response, 'accounts/factor', {
      factors: factors.map(({ name }) => name),
      asked: [...new Set(factors.map(({ name }) => proofName(name)))],
    })
  }
}

/** Takes the second step and completes the sign-in. */
export function proveFactor({ home, limits, signIn }: Accounts): Handler<{ name: string }> {
  return async (request, response) => {
    const fields = await readFields(request)
    const pending = await signIn.pending(request)
    const outcome =
      pending === null
        ? 'expired'
        : await limits.challengeChecks.run(request, pending.challenge, () =>
            limits.factorChecks.run(request, pending.user, () =>
              signIn.complete(request, response, request.params.name, fields),
            ),
          )
    if (outcome === null && pending !== null) {
      // Counts, and takes it back: refused if this was the last try.
      const probe = limits.challengeChecks.run(request, pending.challenge, async () => true)
      if (!(await probe.catch(ifLimited))) {
        signIn.abandon(request)
        const message = 'Too many wrong codes. Please sign in again.'
        return refuse(request, response, { to: '/login', message, status: 401 })
      }
    }
    if (outcome === null) {
      const message = wrongProofs[proofName(request.params.name)]
      return refuse(request, response, { to: '/login/factor', message, status: 401 })
    }
    if (outcome === 'expired') {
      const message = 'That took too long. Please sign in again.'
      return refuse(request, response, { to: '/login', message, status: 401 })
    }
    const to = await signIn.destination(request, home)
    return succeed(request, response, { to, message: 'Welcome back!' })
  }
}

function ifLimited(error: unknown): false {
  if (error instanceof HttpError && error.status === 429) return false
  throw error
}

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
    const { params } = request
    const { id, email } = accountOf(request)
    const fields = await readFields(request)
    const check = (): Promise<boolean> => confirmation.confirm(request, params.method, fields)
    // Codes are counted together with those of sign-ins.
    const isConfirmed =
      params.method === 'password'
        ? await limits.passwordChecks.run(request, email, check)
        : await limits.factorChecks.run(request, id, check)
    if (!isConfirmed) {
      const field = proofName(params.method)
      const isOffered = (await confirmation.methodsOf(request)).includes(params.method)
      // Of a page from before the account got a factor: then the password is not enough.
      const text = isOffered ? wrongProofs[field] : 'Please confirm as this page asks.'
      const errors = { [field]: [text] }
      return sendBack(request, response, { to: '/confirm', errors, fields })
    }
    return redirectTo(request, response, await signIn.destination(request, '/account'))
  }
}

/** What pages call the proof of a factor, or of another method to confirm with. */
function proofName(method: string): keyof typeof wrongProofs {
  return method === 'password' || method === 'passkey' ? method : 'code'
}

/** What a wrong one is refused with. */
const wrongProofs = {
  code: 'This code is not correct.',
  passkey: 'This passkey is not correct.',
  password: 'This password is not correct.',
} as const
