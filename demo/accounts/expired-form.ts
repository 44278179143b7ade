import type { Flash } from './form-answers.ts'

const guestForms = /^\/(?:register|login|forgot)$/
const memberForms = /^\/(?:logout|password|verify|devices|sessions)\b/

/**
 * What to say of a form that came too late because somebody signed in or out in another tab: there is
 * no such form to send again on the page that they see. Null where there is.
 */
export function expiredForm(path: unknown, isSignedIn: boolean): Flash | null {
  if (typeof path !== 'string') return null
  if (isSignedIn) return guestForms.test(path) ? info('You are already signed in.') : null
  if (path === '/logout') return { kind: 'success', text: 'You are signed out.' }
  return memberForms.test(path) ? info('You were signed out. Please sign in again.') : null
}

function info(text: string): Flash {
  return { kind: 'info', text }
}
