import { routeSet } from 'framework/http'
import * as v from 'valibot'
import { planted } from '../fault.ts'
import type { Services } from '../services.ts'
import { tellInsurance } from '../services/insurance.ts'
import { estimate, remindLater } from '../services/workshop.ts'

const Loan = v.object({
  student: v.pipe(
    v.string(),
    v.decimal('Enter a number.'),
    v.toNumber(),
    v.check(isKnown, 'Nobody has this number.'),
  ),
})

function isKnown(student: number): boolean {
  const closed: readonly number[] | null = planted('schema') ? null : []
  return !(closed as number[]).includes(student) // planted: schema
}

/** The instruments of the school, and what can be done with one. */
export const InstrumentRoutes = routeSet<Services>('Instruments', (router, services) => {
  const { catalogue, loans, reminders, accounts } = services
  const { pages } = accounts

  router.get('/instruments', async (request, response) => {
    const family = String(request.query['family'] ?? 'brass')
    const instruments = await catalogue.list(family)
    await pages.show(request, response, 'instruments', { instruments, family })
  })

  router.get('/instruments/:id<int>', async (request, response) => {
    const id = Number(request.params.id)
    await pages.show(request, response, 'instrument', await catalogue.details(id))
  })

  router.post(
    '/instruments/:id<int>/lend',
    async ({ params, input }, response) => {
      const id = Number(params.id)
      await loans.lend(id, input.body.student)
      await tellInsurance(id)
      await reminders.remind('student1@school.example')
      return response.redirect(`/instruments/${id}`)
    },
    { body: Loan },
  )

  router.post('/instruments/:id<int>/swap', async ({ params }, response) => {
    const id = Number(params.id)
    await loans.swap(id, id % 2 === 0 ? id - 1 : id + 1)
    return response.redirect(`/instruments/${id}`)
  })

  router.post('/instruments/:id<int>/inspect', async ({ params }, response) => {
    await loans.inspect(Number(params.id))
    return response.redirect(`/instruments/${params.id}`)
  })

  router.get('/instruments/:id<int>/estimate', async (request, response) => {
    remindLater()
    const id = Number(request.params.id)
    await pages.show(request, response, 'estimate', { id, euros: estimate(id) })
  })
})
