import type { FlashMessage } from 'framework/http'

const guestForms = /^\/(?:register|login(?:\/mail\b.*)?|forgot)$/
const memberForms = /^\/(?:account|logout|password|confirm|verify|devices|sessions)\b/

/**
 * The message for a form that expired because the visitor signed in or out in another tab, so the page
 * they are sent back to no longer has it. Null if the page still has the form.
 */
export function expiredForm(path: unknown, isSignedIn: boolean): FlashMessage | null {
  if (typeof path !== 'string') return null
  if (isSignedIn) return guestForms.test(path) ? info('You are already signed in.') : null
  if (path === '/logout') return { kind: 'success', text: 'You are signed out.' }
  return memberForms.test(path) ? info('You were signed out. Please sign in again.') : null
}

function info(text: string): FlashMessage {
  return { kind: 'info', text }
}
