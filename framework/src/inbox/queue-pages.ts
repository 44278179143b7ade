import { HttpError } from '../http/errors/http-error.ts'
import type { Router } from '../http/router/router.ts'
import { ListedStates } from '../queue/job-store.ts'
import { QueueChanges, applyChange, countQueues, findStore } from '../queue/queue-commands.ts'
import type { ListedQueues, QueueRow } from '../queue/queue-commands.ts'
import { sendPage } from './inbox-views.ts'

const perPage = 50

/** Declares `/queue`: the queues, the jobs of each, and what can be done about them. */
export function declareQueues(router: Router, group: Router, queues: ListedQueues): void {
  /** Of the job that died last; null if none is dead. */
  const lastError = async ({ queue, dead }: QueueRow): Promise<string | null> => {
    if (dead === 0) return null
    const store = await findStore(queues, queue)
    const [newest] = (await store?.list(queue, 'dead', { offset: 0, limit: 1 })) ?? []
    return newest?.reason ?? null
  }

  group.get('/', async (request, response) => {
    const rows = await countQueues(queues)
    const data = { rows, last: await Promise.all(rows.map(lastError)) }
    return sendPage(router, request, response, { title: 'Queues', view: 'queues', data })
  })

  group.get('/:name', async (request, response) => {
    const { name } = request.params
    const store = await findStore(queues, name)
    if (store === null) throw missing()
    const counts = await store.counts(name)
    const state = stateOf(request.query) ?? (counts.dead > 0 ? 'dead' : 'waiting')
    const offset = (numberOf(request.query) - 1) * perPage
    // One more tells whether there is a next page.
    const found = await store.list(name, state, { offset, limit: perPage + 1 })
    const data = {
      name,
      counts,
      state,
      jobs: found.slice(0, perPage),
      number: numberOf(request.query),
      hasNext: found.length > perPage,
    }
    return sendPage(router, request, response, { title: `Queue ${name}`, view: 'queue', data })
  })

  group.post('/:name', async (request, response) => {
    const { name } = request.params
    const { action, id } = (await request.form()).fields
    const change = QueueChanges.find((one) => one === action && one !== 'clear')
    const store = await findStore(queues, name)
    // A form without the id of its job must not mean all of them.
    if (store === null || change === undefined || (change === 'delete' && id === undefined)) {
      throw missing()
    }
    const { text } = await applyChange(store, change, name, id)
    request.session.flash('message', `${name}: ${text}`)
    const state = stateOf(request.query)
    const page = `/queue/${encodeURIComponent(name)}`
    return response.redirect(state === undefined ? page : `${page}?state=${state}`)
  })
}

function stateOf({ state }: Readonly<Record<string, string>>): ListedStates | undefined {
  return ListedStates.find((one) => one === state)
}

function numberOf({ page = '1' }: Readonly<Record<string, string>>): number {
  return /^\d{1,4}$/.test(page) ? Math.max(1, Number(page)) : 1
}

function missing(): HttpError {
  return new HttpError(404, 'there is no such queue')
}
