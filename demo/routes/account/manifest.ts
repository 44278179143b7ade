import { routeSet } from 'framework/http'
import type { Services } from '../../services.ts'
import { perPeer } from '../auth/limits.ts'
import { linkHeaders } from '../auth/link.ts'
import { endAccess, showAccess } from './access.ts'
import { createToken, revokeToken, showTokens } from './api-tokens.ts' // part: api-tokens
// part: account-data
import { cancelDeletion, keepAccount, requestDeletion, showDeletion, showKeep } from './deletion.ts'
// end: account-data
import { completeEmail, requestEmail, showEmail, showNewEmail } from './email.ts' // part: email-change
import { showEmailUndo, undoEmail } from './email-undo.ts' // part: email-change
import { downloadExport, requestExport, showExport } from './exports.ts' // part: account-data
import { enterMailboxCode, sendMailboxCode, showMailbox } from './mailbox.ts'
// part: passkeys
import {
  addPasskey,
  creationOptions,
  removePasskey,
  renamePasskey,
  showPasskeys,
} from './passkeys.ts'
// end: passkeys
import { revokeDevice } from './revoke-device.ts'
import { revokeSession } from './revoke-session.ts'
import { showAccount } from './show-account.ts'
import { showActivity } from './show-activity.ts' // part: activity
import { connectSite, disconnectSite, showSignIns } from './sign-ins.ts' // part: oidc
import { signOutOthers } from './sign-out-others.ts'
// part: two-factor
import {
  beginTwoFactor,
  cancelTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  renewCodes,
  showTwoFactor,
} from './two-factor.ts'
// end: two-factor
import { showUndo, undo } from './undo.ts'

/** What the owner of an account sees and changes: devices, sessions, factors, tokens, activity. */
export const Account = routeSet<Services>('Account', (router, services) => {
  const { confirmed, signedIn, pages } = services
  // For what a stolen session must not open.
  const settings = [signedIn, confirmed]
  const lasting = [signedIn, services.verified, confirmed] // part: two-factor, passkeys, api-tokens, oidc

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
  router.get('/account/access', showAccess(services), { middlewares: settings })
  router.post('/account/access', endAccess(services), { middlewares: settings })
  // The links do nothing before their button is pressed: mail scanners open them too.
  const undone = '/account/undo/:selector/:verifier'
  router.get(undone, showUndo(services), { middlewares: [linkHeaders, perPeer(10, 60)] })
  router.post(undone, undo(services), { middlewares: [linkHeaders, perPeer(10, 60)] })
  // What lasts needs an address that its owner has proven: see `verified`.
  const mailbox = '/account/mailbox'
  router.get(mailbox, showMailbox(services), { middlewares: [signedIn] })
  router.post(mailbox, sendMailboxCode(services), { middlewares: [perPeer(3, 600), signedIn] })
  router.post(`${mailbox}/code`, enterMailboxCode(services), {
    middlewares: [perPeer(10, 60), signedIn],
  })
  // part: two-factor
  router.get('/account/two-factor', showTwoFactor(services), { middlewares: lasting })
  router.post('/account/two-factor', beginTwoFactor(services), {
    middlewares: [perPeer(10, 600), ...lasting],
  })
  router.post('/account/two-factor/enable', enableTwoFactor(services), {
    middlewares: [perPeer(10, 60), ...lasting],
  })
  router.post('/account/two-factor/cancel', cancelTwoFactor(services), { middlewares: lasting })
  router.post('/account/two-factor/codes', renewCodes(services), {
    middlewares: [perPeer(10, 600), ...lasting],
  })
  router.post('/account/two-factor/disable', disableTwoFactor(services), { middlewares: lasting })
  // end: two-factor
  // part: passkeys
  router.get('/account/passkeys', showPasskeys(services), { middlewares: lasting })
  router.post('/account/passkeys/options', creationOptions(services), {
    middlewares: [perPeer(20, 600), ...lasting],
  })
  router.post('/account/passkeys', addPasskey(services), {
    middlewares: [perPeer(20, 600), ...lasting],
  })
  router.post('/account/passkeys/:id/rename', renamePasskey(services), { middlewares: lasting })
  router.post('/account/passkeys/:id/remove', removePasskey(services), { middlewares: lasting })
  // end: passkeys
  // part: api-tokens
  router.get('/account/tokens', showTokens(services), { middlewares: lasting })
  router.post('/account/tokens', createToken(services), {
    middlewares: [perPeer(20, 600), ...lasting],
  })
  router.post('/account/tokens/:id/revoke', revokeToken(services), { middlewares: lasting })
  // end: api-tokens
  // part: email-change
  router.get('/account/email', showEmail(services), { middlewares: settings })
  router.post('/account/email', requestEmail(services), {
    middlewares: [perPeer(20, 600), ...settings],
  })
  const newEmail = '/account/email/:selector/:verifier'
  router.get(newEmail, showNewEmail(services), { middlewares: [linkHeaders, perPeer(10, 60)] })
  router.post(newEmail, completeEmail(services), {
    middlewares: [linkHeaders, perPeer(10, 60), signedIn],
  })
  const emailUndo = '/email/undo/:selector/:verifier'
  router.get(emailUndo, showEmailUndo(services), { middlewares: [linkHeaders, perPeer(10, 60)] })
  router.post(emailUndo, undoEmail(services), { middlewares: [linkHeaders, perPeer(10, 60)] })
  // end: email-change
  // part: account-data
  router.get('/account/delete', showDeletion(services), { middlewares: settings })
  router.post('/account/delete', requestDeletion(services), {
    middlewares: [perPeer(5, 600), ...settings],
  })
  router.post('/account/delete/cancel', cancelDeletion(services), { middlewares: [signedIn] })
  const keep = '/account/keep/:selector/:verifier'
  router.get(keep, showKeep(services), { middlewares: [linkHeaders, perPeer(10, 60)] })
  router.post(keep, keepAccount(services), { middlewares: [linkHeaders, perPeer(10, 60)] })
  router.get('/account/export', showExport(services), { middlewares: settings })
  router.post('/account/export', requestExport(services), {
    middlewares: [perPeer(5, 600), ...settings],
  })
  router.get('/account/export/file', downloadExport(services), {
    middlewares: [perPeer(20, 600), ...settings],
  })
  // end: account-data
  // part: oidc
  const { openId } = services
  if (openId !== null) {
    router.get('/account/sign-ins', showSignIns(services, openId), { middlewares: settings })
    router.post('/account/sign-ins/:name', connectSite(services, openId), {
      middlewares: [perPeer(10, 60), ...lasting],
    })
    router.post('/account/sign-ins/:name/disconnect', disconnectSite(openId), {
      middlewares: settings,
    })
  }
  // end: oidc
})
