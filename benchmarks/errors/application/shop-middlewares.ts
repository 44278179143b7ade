import type { Middleware } from 'koa'

const counts = new Map<string, number>()

/** Counts requests by their first path segment. */
export const countRequests: Middleware = (context, next) => {
  const [, segment = ''] = context.path.split('/')
  counts.set(segment, (counts.get(segment) ?? 0) + 1)
  return next()
}

/** Sets what keeps browsers from guessing. */
export const secureHeaders: Middleware = (context, next) => {
  context.set({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  })
  return next()
}

/** Gives every visitor a session that ends with the answer. */
export const openSession: Middleware = (context, next) => {
  const visitor = context.get('user-agent') || 'somebody'
  context.state['session'] = { visitor, since: new Date(), flash: [] }
  return next()
}

/** Finds out whose shop was asked for. */
export const loadTenant: Middleware = (context, next) => {
  const [name = 'default'] = context.hostname.split('.')
  context.state['tenant'] = { name, currency: name === 'zürich' ? 'CHF' : 'EUR' }
  return next()
}
