import { routeSet } from 'framework/http'
import type { Services } from '../../services.ts'
import { perPeer } from '../auth/limits.ts' // part: two-factor, api-tokens, passkeys
import { createToken, revokeToken, showTokens } from './api-tokens.ts' // part: api-tokens
import { addPasskey, creationOptions, removePasskey, showPasskeys } from './passkeys.ts' // part: passkeys
import { revokeDevice } from './revoke-device.ts'
import { revokeSession } from './revoke-session.ts'
import { showAccount } from './show-account.ts'
import { showActivity } from './show-activity.ts' // part: activity
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
  // For what a stolen session must not open.
  const settings = [signedIn, confirmed]

  router.get('/account', showAccount(services), { name: 'account', middlewares: [signedIn] })
  router.get('/account/activity', showActivity(services), { middlewares: [signedIn] }) // part: activity
  router.get(
    '/logout/others',
    (request, response) => pages.show(request, response, 'account/sign-out-others'),
    { middlewares: settings },
  )
  router.post('/logout/others', signOutOthers(services), { middlewares: settings })
  // One click for an owner who sees a stranger in the list.
  router.post('/devices/:id/revoke', revokeDevice(services), { middlewares: [signedIn] })
  router.post('/sessions/:id/revoke', revokeSession(services), { middlewares: [signedIn] })
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
  // part: passkeys
  router.get('/account/passkeys', showPasskeys(services), { middlewares: settings })
  router.post('/account/passkeys/options', creationOptions(services), {
    middlewares: [perPeer(20, 600), ...settings],
  })
  router.post('/account/passkeys', addPasskey(services), {
    middlewares: [perPeer(20, 600), ...settings],
  })
  router.post('/account/passkeys/:id/remove', removePasskey(services), { middlewares: settings })
  // end: passkeys
  // part: api-tokens
  router.get('/account/tokens', showTokens(services), { middlewares: settings })
  router.post('/account/tokens', createToken(services), {
    middlewares: [perPeer(20, 600), ...settings],
  })
  router.post('/account/tokens/:id/revoke', revokeToken(services), { middlewares: settings })
  // end: api-tokens
})
