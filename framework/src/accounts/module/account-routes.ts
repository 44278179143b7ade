import { hasParts } from './account-services.ts'
import type { Accounts } from './account-services.ts'
import { endAccess, showAccess } from './routes/access.ts'
import { createToken, revokeToken, showTokens } from './routes/api-tokens.ts'
import {
  cancelDeletion,
  keepAccount,
  requestDeletion,
  showDeletion,
  showKeep,
} from './routes/deletion.ts'
import {
  showEmailUndo,
  undoEmail,
  completeEmail,
  requestEmail,
  showEmail,
  showNewEmail,
} from './routes/email.ts'
import { downloadExport, requestExport, showExport } from './routes/exports.ts'
import { perPeer } from './account-limits.ts'
import { linkHeaders } from './routes/link.ts'
import { enterMailboxCode, sendMailboxCode, showMailbox } from './routes/mailbox.ts'
import {
  addPasskey,
  creationOptions,
  removePasskey,
  renamePasskey,
  showPasskeys,
} from './routes/passkeys.ts'
import { revokeDevice, signOutOthers, revokeSession } from './routes/sign-out.ts'
import { showAccount, showActivity } from './routes/account.ts'
import { connectSite, disconnectSite, showSignIns } from './routes/open-id.ts'
import {
  beginTwoFactor,
  cancelTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  renewCodes,
  showTwoFactor,
} from './routes/two-factor.ts'
import { showUndo, undo } from './routes/undo.ts'
import type { Router } from '../../http/router/router.ts'

/** What the owner of an account sees and changes: devices, sessions, factors, tokens, activity. */
export function accountRoutes(router: Router, accounts: Accounts): void {
  const { confirmed, enrolling, signedIn, pages } = accounts
  // For what a stolen session must not open.
  const settings = [signedIn, confirmed]
  const lasting = [signedIn, accounts.verified, confirmed]

  // Also for those who must add a second factor first: it says what is missing.
  router.get('/account', showAccount(accounts), { name: 'account', middlewares: [enrolling] })
  if (hasParts(accounts, 'activity')) {
    router.get('/account/activity', showActivity(accounts), { middlewares: [signedIn] })
  }
  router.get(
    '/logout/others',
    (request, response) => pages.show(request, response, 'accounts/sign-out-others'),
    { middlewares: settings },
  )
  router.post('/logout/others', signOutOthers(accounts), { middlewares: settings })
  // One click for an owner who sees a stranger in the list.
  router.post('/devices/:id/revoke', revokeDevice(accounts), { middlewares: [signedIn] })
  router.post('/sessions/:id/revoke', revokeSession(accounts), { middlewares: [signedIn] })
  router.get('/account/access', showAccess(accounts), { middlewares: settings })
  router.post('/account/access', endAccess(accounts), { middlewares: settings })
  // The links do nothing before their button is pressed: mail scanners open them too.
  const undone = '/account/undo/:selector/:verifier'
  router.get(undone, showUndo(accounts), { middlewares: [linkHeaders, perPeer(10, 60)] })
  router.post(undone, undo(accounts), { middlewares: [linkHeaders, perPeer(10, 60)] })
  // What lasts needs an address that its owner has proven: see `verified`.
  const mailbox = '/account/mailbox'
  router.get(mailbox, showMailbox(accounts), { middlewares: [enrolling] })
  router.post(mailbox, sendMailboxCode(accounts), { middlewares: [perPeer(3, 600), enrolling] })
  router.post(`${mailbox}/code`, enterMailboxCode(accounts), {
    middlewares: [perPeer(10, 60), enrolling],
  })
  const adding = [enrolling, accounts.verified, confirmed]
  if (hasParts(accounts, 'authenticator')) {
    router.get('/account/two-factor', showTwoFactor(accounts), { middlewares: adding })
    router.post('/account/two-factor', beginTwoFactor(accounts), {
      middlewares: [perPeer(10, 600), ...adding],
    })
    router.post('/account/two-factor/enable', enableTwoFactor(accounts), {
      middlewares: [perPeer(10, 60), ...adding],
    })
    router.post('/account/two-factor/cancel', cancelTwoFactor(accounts), { middlewares: adding })
    router.post('/account/two-factor/codes', renewCodes(accounts), {
      middlewares: [perPeer(10, 600), ...adding],
    })
    router.post('/account/two-factor/disable', disableTwoFactor(accounts), { middlewares: adding })
  }
  if (hasParts(accounts, 'passkeys', 'passkeySignIn')) {
    router.get('/account/passkeys', showPasskeys(accounts), { middlewares: lasting })
    router.post('/account/passkeys/options', creationOptions(accounts), {
      middlewares: [perPeer(20, 600), ...lasting],
    })
    router.post('/account/passkeys', addPasskey(accounts), {
      middlewares: [perPeer(20, 600), ...lasting],
    })
    router.post('/account/passkeys/:id/rename', renamePasskey(accounts), { middlewares: lasting })
    router.post('/account/passkeys/:id/remove', removePasskey(accounts), { middlewares: lasting })
  }
  if (hasParts(accounts, 'apiTokens')) {
    router.get('/account/tokens', showTokens(accounts), { middlewares: lasting })
    router.post('/account/tokens', createToken(accounts), {
      middlewares: [perPeer(20, 600), ...lasting],
    })
    router.post('/account/tokens/:id/revoke', revokeToken(accounts), { middlewares: lasting })
  }
  if (hasParts(accounts, 'emailChange')) {
    router.get('/account/email', showEmail(accounts), { middlewares: settings })
    router.post('/account/email', requestEmail(accounts), {
      middlewares: [perPeer(20, 600), ...settings],
    })
    const newEmail = '/account/email/:selector/:verifier'
    router.get(newEmail, showNewEmail(accounts), { middlewares: [linkHeaders, perPeer(10, 60)] })
    router.post(newEmail, completeEmail(accounts), {
      middlewares: [linkHeaders, perPeer(10, 60), signedIn],
    })
    const emailUndo = '/email/undo/:selector/:verifier'
    router.get(emailUndo, showEmailUndo(accounts), { middlewares: [linkHeaders, perPeer(10, 60)] })
    router.post(emailUndo, undoEmail(accounts), { middlewares: [linkHeaders, perPeer(10, 60)] })
  }
  if (hasParts(accounts, 'deletion')) {
    router.get('/account/delete', showDeletion(accounts), { middlewares: settings })
    router.post('/account/delete', requestDeletion(accounts), {
      middlewares: [perPeer(5, 600), ...settings],
    })
    router.post('/account/delete/cancel', cancelDeletion(accounts), { middlewares: [signedIn] })
    const keep = '/account/keep/:selector/:verifier'
    router.get(keep, showKeep(accounts), { middlewares: [linkHeaders, perPeer(10, 60)] })
    router.post(keep, keepAccount(accounts), { middlewares: [linkHeaders, perPeer(10, 60)] })
  }
  if (hasParts(accounts, 'exportJobs', 'exports')) {
    router.get('/account/export', showExport(accounts), { middlewares: settings })
    router.post('/account/export', requestExport(accounts), {
      middlewares: [perPeer(5, 600), ...settings],
    })
    router.get('/account/export/file', downloadExport(accounts), {
      middlewares: [perPeer(20, 600), ...settings],
    })
  }
  const { openId } = accounts
  if (openId !== null) {
    router.get('/account/sign-ins', showSignIns(accounts, openId), { middlewares: settings })
    router.post('/account/sign-ins/:name', connectSite(accounts, openId), {
      middlewares: [perPeer(10, 60), ...lasting],
    })
    router.post('/account/sign-ins/:name/disconnect', disconnectSite(openId), {
      middlewares: settings,
    })
  }
}
