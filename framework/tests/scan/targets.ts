import type { SqlmapTarget } from './sqlmap.ts'

/** Addresses without a link to them. */
export const startPaths: readonly string[] = [
  '/items?q=oak&category=Garden&available=1&order=name&limit=10&page=2',
  '/items?cursor=WyJBc2ggYm93bCIsMTFd&limit=5',
  '/verify/0123456789abcdef/00',
  '/reset/0123456789abcdef/00',
  '/hello/Ada',
  '/api/hello/Ada',
]

const form = (fields: Readonly<Record<string, string>>): string =>
  new URLSearchParams(fields).toString()

const email = 'somebody@example.com'
const password = 'quiet copper lamp'
const hex = 'ab'.repeat(32)

/** Every input of a guest. */
export const guestTargets: readonly SqlmapTarget[] = [
  {
    name: 'items',
    path: '/items?q=oak&category=Garden&available=1&order=name&limit=10&page=2',
    fields: 'q,category,available,order,limit,page',
  },
  { name: 'cursor', path: '/items?cursor=WyJBc2ggYm93bCIsMTFd&limit=5', fields: 'cursor,limit' },
  { name: 'login-email', path: '/login', form: form({ email, password }), fields: 'email' },
  {
    name: 'login-password',
    path: '/login',
    form: form({ email, password, remember: '1' }),
    fields: 'password,remember',
    // A rate limit counts attempts per account.
    random: 'email',
  },
  {
    name: 'register',
    path: '/register',
    form: form({ email, password, password_confirmation: password }),
    fields: 'email,password,password_confirmation',
  },
  { name: 'forgot', path: '/forgot', form: form({ email }), fields: 'email' },
  { name: 'verify-selector', path: `/verify/0123456789abcdef*/${hex}` },
  { name: 'verify-verifier', path: `/verify/0123456789abcdef/${hex}*` },
  {
    name: 'reset',
    path: `/reset/0123456789abcdef*/${hex}*`,
    form: form({ password, password_confirmation: password }),
  },
  { name: 'hello', path: '/api/hello/Ada*' },
  { name: 'cookies', path: '/account', cookie: `session=${'a'.repeat(43)}*; remember=ab.${hex}*` },
]

/** The form behind a working link. The input must be invalid, or the link would be used up. */
export function resetTarget(path: string): SqlmapTarget {
  const fields = 'password,password_confirmation'
  return { name: 'reset-form', path, form: form({ password, password_confirmation: 'x' }), fields }
}

/** Every input of a signed-in visitor. */
export const memberTargets: readonly SqlmapTarget[] = [
  {
    name: 'password',
    path: '/password',
    form: form({ current: password, password: 'another one', password_confirmation: 'other' }),
    fields: 'current,password,password_confirmation',
  },
  { name: 'revoke-device', path: '/devices/0123456789abcdef*/revoke', form: form({ a: '1' }) },
  { name: 'revoke-session', path: '/sessions/0123456789abcdef*/revoke', form: form({ a: '1' }) },
]
