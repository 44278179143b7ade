// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { event, Emitter } from '../../src/public/events.ts'
import { routeSet, Router } from '../../src/public/http.ts'

const router = new Router()

router.get('/users/:id<int>/files/*path', ({ params }) => {
  const id: number = params.id
  const path: string = params.path
  return path.repeat(id)
})

router.get('/archive/:year/:month?', ({ params }) => {
  const year: string = params.year
  const month: string | undefined = params.month
  return year + (month ?? '')
})

// @ts-expect-error the pattern has no parameter of that name
router.get('/users/:id', ({ params }) => params.name)

// @ts-expect-error an optional parameter may be missing
router.get('/users/:id?', ({ params }): string => params.id)

// @ts-expect-error a handler is a function
router.get('/', 'hello')

// @ts-expect-error a middleware object needs process()
router.get('/', () => '', { middlewares: [{ handle: () => {} }] })

const Members = routeSet<{ club: string }>('Members', (routes, services) => {
  routes.get('/', () => services.club)
  // @ts-expect-error a service that was not promised
  routes.get('/x', () => services.users)
})
void Members

const Saved = event<[id: number]>('saved')
const emitter = new Emitter()
emitter.listen(Saved, (id) => id.toFixed())
// @ts-expect-error the payload is a number
emitter.emit(Saved, 'seven')
// @ts-expect-error the payload is missing
emitter.emit(Saved)
