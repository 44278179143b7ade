import { routeSet } from 'framework/http'

/** Fails on purpose, to show what visitors and developers see. */
export const Failure = routeSet('Failure', (router) => {
  router.get('/error', () => {
    throw new Error('This route fails on purpose', { cause: new RangeError('There is no item 42') })
  })
})
