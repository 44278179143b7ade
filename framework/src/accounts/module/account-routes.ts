import { hasParts } from './account-services.ts'
import type { Accounts } from './account-services.ts'
import { endAccess, showAccess, showUndo, undo } from './routes/access.ts'
import { createToken, revokeToken, showTokens } from './routes/api-tokens.ts'
import {
  cancelDeletion,
  downloadExport,
  keepAccount,
  requestDeletion,
  requestExport,
  showDeletion,
  showExport,
  showKeep,
} from './routes/account-data.ts'
import {
  showEmailUndo,
  undoEmail,
  completeEmail,
  requestEmail,
  showEmail,
  showNewEmail,
} from './routes/email.ts'
import { perPeer } from './account-limits.ts'
import { linkHeaders } from './routes/link.ts'
import { enterMailboxCode, sendMailboxCode, showMailbox } from './routes/verify.ts'
import {
  addPasskey,
  creationOptions,
  removePasskey,
  renamePasskey,
  showPasskeys,
} from './routes/passkeys.ts'
import { revokeDevice, signOutOthers, revokeSession } from './routes/sign-out.ts'
import { changeTimeZone, showAccount, showActivity } from './routes/account.ts'
import { connectSite, disconnectSite, showSignIns } from './routes/open-id.ts'
import {
  beginTwoFactor,
  cancelTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  renewCodes,
  showTwoFactor,
} from './routes/two-factor.ts'
import type { Router } from '../../http/router/router.ts'

/** What the owner of an account sees and changes: devices, sessions, factors, tokens, activity. */
export function accountRoutes(router: Router, accounts: Accounts): void {
  const { confirmed, enrolling, openId, pages, signedIn, verified } = accounts
  const members = { middlewares: [signedIn] }
  // For what a stolen session must not open.
  const settings = { middlewares: [signedIn, confirmed] }
  // What lasts needs an address that its owner has proven: see `verified`.
  const lasting = { middlewares: [signedIn, verified, confirmed] }
  // The links do nothing before their button is pressed: mail scanners open them too.
  const links = perPeer(10, 60, [linkHeaders])

  // Also for those who must add a second factor first: it says what is missing.
  router.get('/account', showAccount(accounts), { name: 'account', middlewares: [enrolling] })
  router.post('/account/timezone', changeTimeZone(accounts), members)
  if (hasParts(accounts, 'activity')) {
    router.get('/account/activity', showActivity(accounts), members)
  }
  router.get(
    '/logout/others',
    (request, response) => pages.show(request, response, 'accounts/sign-out-others'),
    settings,
  )
  router.post('/logout/others', signOutOthers(accounts), settings)
  // One click for an owner who sees a stranger in the list.
  router.post('/devices/:id/revoke', revokeDevice(accounts), members)
  router.post('/sessions/:id/revoke', revokeSession(accounts), members)
  router.get('/account/access', showAccess(accounts), settings)
  router.post('/account/access', endAccess(accounts), settings)
  router.get('/account/undo/:selector/:verifier', showUndo(accounts), links)
  router.post('/account/undo/:selector/:verifier', undo(accounts), links)
  router.get('/account/mailbox', showMailbox(accounts), { middlewares: [enrolling] })
  router.post('/account/mailbox', sendMailboxCode(accounts), perPeer(3, 600, [enrolling]))
  router.post('/account/mailbox/code', enterMailboxCode(accounts), perPeer(10, 60, [enrolling]))
  if (hasParts(accounts, 'authenticator')) {
    const adding = [enrolling, verified, confirmed]
    const page = '/account/two-factor'
    router.get(page, showTwoFactor(accounts), { middlewares: adding })
    router.post(page, beginTwoFactor(accounts), perPeer(10, 600, adding))
    router.post(`${page}/enable`, enableTwoFactor(accounts), perPeer(10, 60, adding))
    router.post(`${page}/cancel`, cancelTwoFactor(accounts), { middlewares: adding })
    router.post(`${page}/codes`, renewCodes(accounts), perPeer(10, 600, adding))
    router.post(`${page}/disable`, disableTwoFactor(accounts), { middlewares: adding })
  }
  const limited = perPeer(20, 600, lasting.middlewares)
  if (hasParts(accounts, 'passkeys', 'passkeySignIn')) {
    const page = '/account/passkeys'
    router.get(page, showPasskeys(accounts), lasting)
    router.post(`${page}/options`, creationOptions(accounts), limited)
    router.post(page, addPasskey(accounts), limited)
    router.post(`${page}/:id/rename`, renamePasskey(accounts), lasting)
    router.post(`${page}/:id/remove`, removePasskey(accounts), lasting)
  }
  if (hasParts(accounts, 'apiTokens')) {
    router.get('/account/tokens', showTokens(accounts), lasting)
    router.post('/account/tokens', createToken(accounts), limited)
    router.post('/account/tokens/:id/revoke', revokeToken(accounts), lasting)
  }
  if (hasParts(accounts, 'emailChange')) {
    router.get('/account/email', showEmail(accounts), settings)
    router.post('/account/email', requestEmail(accounts), perPeer(20, 600, settings.middlewares))
    const changed = '/account/email/:selector/:verifier'
    router.get(changed, showNewEmail(accounts), links)
    router.post(changed, completeEmail(accounts), perPeer(10, 60, [linkHeaders, signedIn]))
    router.get('/email/undo/:selector/:verifier', showEmailUndo(accounts), links)
    router.post('/email/undo/:selector/:verifier', undoEmail(accounts), links)
  }
  if (hasParts(accounts, 'deletion')) {
    const page = '/account/delete'
    router.get(page, showDeletion(accounts), settings)
    router.post(page, requestDeletion(accounts), perPeer(5, 600, settings.middlewares))
    router.post(`${page}/cancel`, cancelDeletion(accounts), members)
    router.get('/account/keep/:selector/:verifier', showKeep(accounts), links)
    router.post('/account/keep/:selector/:verifier', keepAccount(accounts), links)
  }
  if (hasParts(accounts, 'exportJobs', 'exports')) {
    const page = '/account/export'
    router.get(page, showExport(accounts), settings)
    router.post(page, requestExport(accounts), perPeer(5, 600, settings.middlewares))
    router.get(`${page}/file`, downloadExport(accounts), perPeer(20, 600, settings.middlewares))
  }
  if (openId !== null) {
    const page = '/account/sign-ins'
    router.get(page, showSignIns(accounts, openId), settings)
    router.post(
      `${page}/:name`,
      connectSite(accounts, openId),
      perPeer(10, 60, lasting.middlewares),
    )
    router.post(`${page}/:name/disconnect`, disconnectSite(openId), settings)
  }
}
