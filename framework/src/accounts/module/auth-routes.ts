import { hasParts } from './account-services.ts'
import type { Accounts } from './account-services.ts'
import { changePassword, showPassword, forgot, reset, showReset } from './routes/password.ts'
import { confirm, showConfirm, proveFactor, showFactor } from './routes/factor.ts'
import { perPeer } from './account-limits.ts'
import { changeLanguage } from './routes/account.ts'
import { linkHeaders } from './routes/link.ts'
import { login, register } from './routes/login.ts'
import { logout } from './routes/sign-out.ts'
import {
  openMailLink,
  pressMailLink,
  enterMailCode,
  sendSignInMail,
  showMailCode,
} from './routes/mail-sign-in.ts'
import { beginOpenId, finishOpenId } from './routes/open-id.ts'
import { confirmOptions, factorOptions, loginOptions, loginWithPasskey } from './routes/passkeys.ts'
import { resend, confirmVerification, openVerification } from './routes/verify.ts'
import type { Handler } from '../../http/router/route.ts'
import type { Router } from '../../http/router/router.ts'
import type { ServerHost } from '../../http/server/server-host.ts'

/** Registration, signing in and out, links by mail, passwords. */
export function authRoutes(router: Router, accounts: Accounts, server: ServerHost): void {
  const { mails, asksToVerify, enrolling, openId, signedIn } = accounts
  // Sends notices that a process has left which is gone.
  server.onServe(() => mails.gathered.start())

  if (accounts.languages.names.length > 1) {
    router.post('/language', changeLanguage(accounts), perPeer(30, 60))
  }
  if (accounts.options.registration !== false) {
    router.get('/register', showForm(accounts, 'register'))
    router.post('/register', register(accounts), perPeer(5, 600))
  }

  router.get('/login', showForm(accounts, 'login'))
  router.post('/login', login(accounts), perPeer(5, 60))
  if (accounts.authenticator !== null || accounts.passkeys !== null) {
    router.get('/login/factor', showFactor(accounts))
    router.post('/login/factor/:name', proveFactor(accounts), perPeer(10, 60))
  }
  if (accounts.options.mailSignIn === true) {
    router.get('/login/mail', showForm(accounts, 'mail-login'))
    router.post('/login/mail', sendSignInMail(accounts), perPeer(3, 600))
    router.get('/login/mail/code', showMailCode(accounts))
    router.post('/login/mail/code', enterMailCode(accounts), perPeer(10, 60))
    const mailLink = '/login/mail/:selector/:verifier'
    router.get(mailLink, openMailLink(accounts), { middlewares: [linkHeaders] })
    router.post(mailLink, pressMailLink(accounts), perPeer(10, 60, [linkHeaders]))
  }
  router.post('/logout', logout(accounts))
  if (hasParts(accounts, 'passkeys', 'passkeySignIn')) {
    router.post('/login/passkey/options', loginOptions(accounts), perPeer(30, 60))
    router.post('/login/passkey', loginWithPasskey(accounts), perPeer(10, 60))
    router.post('/login/factor/passkey/options', factorOptions(accounts), perPeer(20, 60))
    router.post('/confirm/passkey/options', confirmOptions(accounts), perPeer(20, 60, [enrolling]))
  }

  if (openId !== null) {
    router.post('/login/oidc/:name', beginOpenId(accounts, openId), perPeer(10, 60))
    router.get(
      '/login/oidc/:name/callback',
      finishOpenId(accounts, openId),
      perPeer(20, 60, [linkHeaders]),
    )
  }

  const link = '/verify/:selector/:verifier'
  router.get(link, openVerification(accounts), perPeer(10, 60, [linkHeaders]))
  if (asksToVerify) {
    router.post(link, confirmVerification(accounts), perPeer(10, 60, [linkHeaders]))
  }
  router.post('/verify', resend(accounts), perPeer(3, 600, [enrolling]))

  router.get('/forgot', showForm(accounts, 'forgot'))
  router.post('/forgot', forgot(accounts), perPeer(3, 600))
  router.get('/reset/:selector/:verifier', showReset(accounts), { middlewares: [linkHeaders] })
  router.post('/reset/:selector/:verifier', reset(accounts), perPeer(5, 600, [linkHeaders]))

  router.get('/password', showPassword(accounts), { middlewares: [signedIn] })
  router.post('/password', changePassword(accounts), perPeer(5, 60, [signedIn]))

  // Password managers look here for the form.
  router.get('/.well-known/change-password', (_request, response) => response.redirect('/password'))

  // Before what a stolen session must not do, its user proves again who they are.
  router.get('/confirm', showConfirm(accounts), { middlewares: [enrolling] })
  router.post('/confirm/:method', confirm(accounts), perPeer(5, 60, [enrolling]))
}

/** Shows a form for guests; signed-in visitors are sent to their account, half signed-in ones to go on. */
function showForm(accounts: Accounts, view: string): Handler {
  const { pages, signIn, visitors } = accounts
  const sites = accounts.openId?.issuers.map(({ name, label }) => ({ name, label })) ?? []
  return async (request, response) => {
    if (await visitors.authenticate(request, response)) return response.redirect('/account')
    if (view === 'login' && (await signIn.pending(request)) !== null) {
      return response.redirect('/login/factor')
    }
    return pages.show(request, response, `accounts/${view}`, {
      sent: await request.session.flash('sent'),
      passkeys: accounts.passkeys?.isUsable ?? false,
      fields: accounts.fields?.form ?? [],
      sites,
    })
  }
}
