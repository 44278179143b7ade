import type { Authentication } from '../../src/accounts/guards/authentication.ts'
import type { Confirmation } from '../../src/accounts/guards/confirmation.ts'
import { Confirmed } from '../../src/accounts/guards/confirmed.ts'
import type { SignIn } from '../../src/accounts/sign-in/sign-in.ts'
import type { Users } from '../../src/accounts/users.ts'
import type { MailSignIn } from '../../src/accounts/sign-in/mail-sign-in.ts'
import type { Server } from '../../src/http/server/server.ts'

/** The parts of a site that these routes use. */
interface GateParts {
  readonly server: Server
  readonly users: Users
  readonly signIn: SignIn
  readonly confirmation: Confirmation
  readonly mailSignIn: MailSignIn
  readonly clock: { readonly now: number }
  readonly meanwhile: () => unknown
}

/** Routes for every way in, for the factor that completes it, and for what needs a confirmation. */
export function declareGateRoutes(site: GateParts, guard: Authentication): void {
  const { router } = site.server
  // Whatever proved the account: a mailed code, a passkey, the account of another site.
  router.post('/enter/:way', async (request, response) => {
    const { email = '', proven, remember } = request.fields
    const identity = await site.users.fetch(email)
    if (identity === null) return response.redirect('/login')
    const outcome = await site.signIn.enter(request, response, identity, {
      way: request.params.way,
      remember: remember !== undefined,
      ...(proven !== undefined && { proven }),
    })
    return response.redirect(outcome === 'pending' ? '/code' : '/account')
  })
  // Answers with what a project would mail.
  router.post('/mail', async (request, response) => {
    const { email = '', remember } = request.fields
    const asked = await site.mailSignIn.begin(request.session, email, {
      remember: remember !== undefined,
    })
    return response.json(await site.mailSignIn.challenge(asked, await site.users.fetch(email)))
  })
  router.post('/mail/:kind', async (request, response) => {
    const { code = '', link = '' } = request.fields
    const { session } = request
    const entry =
      request.params.kind === 'code'
        ? await site.mailSignIn.redeemCode(session, code)
        : await site.mailSignIn.redeemLink(session, link)
    if (entry === null) return response.redirect('/mail')
    const { identity, remember } = entry
    const outcome = await site.signIn.enter(request, response, identity, { way: 'mail', remember })
    return response.redirect(outcome === 'pending' ? '/code' : '/account')
  })
  router.post('/factor/:name', async (request, response) => {
    const { name } = request.params
    await request.session.get('pending')
    await site.meanwhile()
    const outcome = await site.signIn.complete(request, response, name, request.fields)
    if (outcome === null) return response.redirect('/code')
    if (outcome === 'expired') return response.redirect('/login')
    return response.redirect(await site.signIn.destination(request, '/account'))
  })
  router.post(
    '/confirm/:name',
    async (request, response) => {
      const isRight = await site.confirmation.confirm(request, request.params.name, request.fields)
      if (!isRight) return response.redirect('/confirm')
      return response.redirect(await site.signIn.destination(request, '/account'))
    },
    { middlewares: [guard] },
  )
  const confirmed = new Confirmed({ clock: () => site.clock.now })
  router.any('/secret', () => 'secret', { middlewares: [guard, confirmed] })
}
