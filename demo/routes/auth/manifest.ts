import { routeSet } from 'framework/http'
import type { Services } from '../../services.ts'
import { createToken, revokeToken, showTokens } from './api-tokens.ts' // part: api-tokens
import { changePassword } from './change-password.ts'
import { confirm, showConfirm } from './confirm.ts'
import { proveFactor, showFactor } from './factor.ts'
import { forgot } from './forgot.ts'
import { perPeer } from './limits.ts'
import { linkHeaders } from './link.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { register } from './register.ts'
import { resend } from './resend.ts'
import { reset } from './reset.ts'
import { revokeDevice } from './revoke-device.ts'
import { revokeSession } from './revoke-session.ts'
import { showAccount } from './show-account.ts'
import { showActivity } from './show-activity.ts' // part: activity
import { showForm } from './show-form.ts'
import { showReset } from './show-reset.ts'
import { signOutOthers } from './sign-out-others.ts'
// part: two-factor
import {
  beginTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  renewCodes,
  showTwoFactor,
} from './two-factor.ts'
// end: two-factor
import { confirmVerification, openVerification } from './verify.ts'

/** Registration, signing in and out, links by mail, passwords, devices and sessions. */
export const Auth = routeSet<Services>('Auth', (router, services) => {
  const { asksToVerify, confirmed, signedIn, pages } = services

  router.get('/register', showForm(services, 'register'))
  router.post('/register', register(services), { middlewares: [perPeer(5, 600)] })

  router.get('/login', showForm(services, 'login'))
  router.post('/login', login(services), { middlewares: [perPeer(5, 60)] })
  router.get('/login/factor', showFactor(services))
  router.post('/login/factor/:name', proveFactor(services), { middlewares: [perPeer(10, 60)] })
  router.post('/logout', logout(services))

  const link = '/verify/:selector/:verifier'
  router.get(link, openVerification(services), { middlewares: [linkHeaders, perPeer(10, 60)] })
  if (asksToVerify) {
    router.post(link, confirmVerification(services), {
      middlewares: [linkHeaders, perPeer(10, 60)],
    })
  }
  router.post('/verify', resend(services), { middlewares: [perPeer(3, 600), signedIn] })

  router.get('/forgot', showForm(services, 'forgot'))
  router.post('/forgot', forgot(services), { middlewares: [perPeer(3, 600)] })
  router.get('/reset/:selector/:verifier', showReset(services), { middlewares: [linkHeaders] })
  router.post('/reset/:selector/:verifier', reset(services), {
    middlewares: [linkHeaders, perPeer(5, 600)],
  })

  router.get('/password', (request, response) => pages.show(request, response, 'password'), {
    middlewares: [signedIn],
  })
  router.post('/password', changePassword(services), { middlewares: [perPeer(5, 60), signedIn] })

  // Password managers look here for the form.
  router.get('/.well-known/change-password', (_request, response) => response.redirect('/password'))

  // Before what a stolen session must not do, its user proves again who they are.
  router.get('/confirm', showConfirm(services), { middlewares: [signedIn] })
  router.post('/confirm/:method', confirm(services), { middlewares: [perPeer(5, 60), signedIn] })

  router.get('/account', showAccount(services), { name: 'account', middlewares: [signedIn] })
  router.get('/account/activity', showActivity(services), { middlewares: [signedIn] }) // part: activity
  router.get(
    '/logout/others',
    (request, response) => pages.show(request, response, 'sign-out-others'),
    { middlewares: [signedIn, confirmed] },
  )
  router.post('/logout/others', signOutOthers(services), { middlewares: [signedIn, confirmed] })
  router.post('/devices/:id/revoke', revokeDevice(services), { middlewares: [signedIn] })
  router.post('/sessions/:id/revoke', revokeSession(services), { middlewares: [signedIn] })

  const settings = [signedIn, confirmed] // part: two-factor, api-tokens
  // part: two-factor
  router.get('/account/two-factor', showTwoFactor(services), { middlewares: settings })
  router.post('/account/two-factor', beginTwoFactor(services), {
    middlewares: [perPeer(10, 600), ...settings],
  })
  router.post('/account/two-factor/enable', enableTwoFactor(services), {
    middlewares: [perPeer(10, 60), ...settings],
  })
  router.post('/account/two-factor/codes', renewCodes(services), {
    middlewares: [perPeer(10, 600), ...settings],
  })
  router.post('/account/two-factor/disable', disableTwoFactor(services), { middlewares: settings })
  // end: two-factor
  // part: api-tokens
  router.get('/account/tokens', showTokens(services), { middlewares: settings })
  router.post('/account/tokens', createToken(services), {
    middlewares: [perPeer(20, 600), ...settings],
  })
  router.post('/account/tokens/:id/revoke', revokeToken(services), { middlewares: settings })
  // end: api-tokens
})
