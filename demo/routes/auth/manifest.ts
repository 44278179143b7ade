import { routeSet } from 'framework/http'
import type { Services } from '../../services.ts'
import { changePassword, showPassword } from './change-password.ts'
import { confirm, showConfirm } from './confirm.ts'
import { proveFactor, showFactor } from './factor.ts'
import { forgot } from './forgot.ts'
import { perPeer } from './limits.ts'
import { linkHeaders } from './link.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
// part: passkeys
import { confirmOptions, factorOptions, loginOptions, loginWithPasskey } from './passkey.ts'
// end: passkeys
// part: mail-login
import { openMailLink, pressMailLink } from './mail-link.ts'
import { enterMailCode, sendSignInMail, showMailCode } from './mail-login.ts'
// end: mail-login
import { beginOpenId, finishOpenId } from './open-id.ts' // part: oidc
import { register } from './register.ts'
import { resend } from './resend.ts'
import { reset } from './reset.ts'
import { showForm } from './show-form.ts'
import { showReset } from './show-reset.ts'
import { confirmVerification, openVerification } from './verify.ts'

/** Registration, signing in and out, links by mail, passwords. */
export const Auth = routeSet<Services>('Auth', (router, services, server) => {
  const { accountMails, asksToVerify, signedIn } = services
  // Sends notices that a process has left which is gone.
  server.onServe(() => accountMails.gathered.start())

  router.get('/register', showForm(services, 'register'))
  router.post('/register', register(services), { middlewares: [perPeer(5, 600)] })

  router.get('/login', showForm(services, 'login'))
  router.post('/login', login(services), { middlewares: [perPeer(5, 60)] })
  router.get('/login/factor', showFactor(services))
  router.post('/login/factor/:name', proveFactor(services), { middlewares: [perPeer(10, 60)] })
  // part: mail-login
  router.get('/login/mail', showForm(services, 'mail-login'))
  router.post('/login/mail', sendSignInMail(services), { middlewares: [perPeer(3, 600)] })
  router.get('/login/mail/code', showMailCode(services))
  router.post('/login/mail/code', enterMailCode(services), { middlewares: [perPeer(10, 60)] })
  const mailLink = '/login/mail/:selector/:verifier'
  router.get(mailLink, openMailLink(services), { middlewares: [linkHeaders] })
  router.post(mailLink, pressMailLink(services), { middlewares: [linkHeaders, perPeer(10, 60)] })
  // end: mail-login
  router.post('/logout', logout(services))
  // part: passkeys
  router.post('/login/passkey/options', loginOptions(services), { middlewares: [perPeer(30, 60)] })
  router.post('/login/passkey', loginWithPasskey(services), { middlewares: [perPeer(10, 60)] })
  router.post('/login/factor/passkey/options', factorOptions(services), {
    middlewares: [perPeer(20, 60)],
  })
  router.post('/confirm/passkey/options', confirmOptions(services), {
    middlewares: [perPeer(20, 60), signedIn],
  })
  // end: passkeys

  // part: oidc
  const { openId } = services
  if (openId !== null) {
    router.post('/login/oidc/:name', beginOpenId(services, openId), {
      middlewares: [perPeer(10, 60)],
    })
    router.get('/login/oidc/:name/callback', finishOpenId(services, openId), {
      middlewares: [linkHeaders, perPeer(20, 60)],
    })
  }
  // end: oidc

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

  router.get('/password', showPassword(services), { middlewares: [signedIn] })
  router.post('/password', changePassword(services), { middlewares: [perPeer(5, 60), signedIn] })

  // Password managers look here for the form.
  router.get('/.well-known/change-password', (_request, response) => response.redirect('/password'))

  // Before what a stolen session must not do, its user proves again who they are.
  router.get('/confirm', showConfirm(services), { middlewares: [signedIn] })
  router.post('/confirm/:method', confirm(services), { middlewares: [perPeer(5, 60), signedIn] })
})
