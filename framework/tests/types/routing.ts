// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { event, Emitter } from '../../src/public/events.ts'
import { action, routeSet, Router } from '../../src/public/http.ts'

import type { Request } from '../../src/public/http.ts'

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

// The parameters of a group's prefix are those of its routes too, also in groups within groups.
router.group('/slots/:id<int>', (slots) => {
  slots.get('/', ({ params }) => params.id.toFixed())
  slots.post('/bookings/:code', ({ params }) => params.code.repeat(params.id))
  slots.group('/days/:day', (days) => {
    days.get('/x', ({ params }) => params.day.repeat(params.id))
  })
  slots.resource('notes', { show: ({ params }) => params.id.toFixed() }, { param: ':note' })
  slots.get(
    '/y',
    action({}, ({ params }: Request<{ readonly id: number }>) => params.id.toFixed()),
  )
  // @ts-expect-error neither the prefix nor the path has a parameter of that name
  slots.get('/z', ({ params }) => params.name)
  declareShared(slots)
})
router.group('/plain', declareShared)
// A function that declares routes anywhere.
function declareShared(routes: Router): void {
  routes.get('/shared/:name', ({ params }) => params.name.trim())
}
// One that needs the parameters of its group.
function declareSlot(routes: Router<{ readonly id: number }>): void {
  routes.get('/slot', ({ params }) => params.id.toFixed())
}
router.group('/slots/:id<int>', declareSlot)
// @ts-expect-error this prefix has no such parameter
router.group('/slots', declareSlot)
const prefix: string = '/days'
router.group(prefix, (days) => days.get('/:day', ({ params }) => params.day.trim()))

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
