import type { Accounts } from '../account-services.ts'
import { proofName } from './confirm.ts'
import { HttpError } from '../../../http/errors/http-error.ts'
import { refuse, succeed } from '../../../http/input/form-responses.ts'
import { readFields } from '../../../http/input/read-fields.ts'
import type { Handler } from '../../../http/router/route.ts'

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
      const message = `This ${proofName(request.params.name)} is not correct.`
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
