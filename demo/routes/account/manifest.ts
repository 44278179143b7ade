import { routeSet } from 'framework/http'
import type { Services } from '../../services.ts'
import { perPeer } from '../auth/limits.ts' // part: two-factor, api-tokens, oidc
import { createToken, revokeToken, showTokens } from './api-tokens.ts' // part: api-tokens
import { revokeDevice } from './revoke-device.ts'
import { revokeSession } from './revoke-session.ts'
import { showAccount } from './show-account.ts'
import { showActivity } from './show-activity.ts' // part: activity
import { connectSite, disconnectSite, showSignIns } from './sign-ins.ts' // part: oidc
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

/** What the owner of an account sees and changes: devices, sessions, factors, tokens, activity. */
export const Account = routeSet<Services>('Account', (router, services) => {
  const { confirmed, signedIn, pages } = services

  router.get('/account', showAccount(services), { name: 'account', middlewares: [signedIn] })
  router.get('/account/activity', showActivity(services), { middlewares: [signedIn] }) // part: activity
  router.get(
    '/logout/others',
    (request, response) => pages.show(request, response, 'account/sign-out-others'),
    { middlewares: [signedIn, confirmed] },
  )
  router.post('/logout/others', signOutOthers(services), { middlewares: [signedIn, confirmed] })
  router.post('/devices/:id/revoke', revokeDevice(services), { middlewares: [signedIn] })
  router.post('/sessions/:id/revoke', revokeSession(services), { middlewares: [signedIn] })

  const settings = [signedIn, confirmed] // part: two-factor, api-tokens, oidc
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
  // part: oidc
  const { openId } = services
  if (openId !== null) {
    router.get('/account/sign-ins', showSignIns(services, openId), { middlewares: settings })
    router.post('/account/sign-ins/:name', connectSite(services, openId), {
      middlewares: [perPeer(10, 60), ...settings],
    })
    router.post('/account/sign-ins/:name/disconnect', disconnectSite(openId), {
      middlewares: settings,
    })
  }
  // end: oidc
})
