import { Emitter, event } from '../../../framework/dist/public/events.js'
import { RequestEvents, Server, Telemetry } from '../../../framework/dist/public/http.js'
import { items, middlewareHeaders, Scenarios, viewsFolder } from '../scenarios.ts'
import { contestant, ready } from './contestant.ts'

const { port, scenario } = contestant()
const listening = { host: '127.0.0.1', port }
const server = new Server().configure(listening)

if (scenario === Scenarios.Middlewares) {
  for (const name of middlewareHeaders) {
    server.use((_request, response, next) => {
      response.header(name, '1')
      return next()
    })
  }
}
if (scenario === Scenarios.Passes) {
  for (const _ of middlewareHeaders) server.use((_request, _response, next) => next())
}
if (scenario === Scenarios.Listened) {
  Emitter.Instance.listen(RequestEvents.Received, () => {})
  Emitter.Instance.listen(RequestEvents.Handled, () => {})
}
if (scenario === Scenarios.Telemetry) {
  const { Observability } = await import('../../../framework/dist/public/observability.js')
  new Telemetry(new Observability()).boot()
}

if (scenario === Scenarios.Unheard) {
  const Greeted = event<[name: string]>('greeted')
  server.router.get('/json', () => {
    Emitter.Instance.emit(Greeted, 'world')
    return { hello: 'world' }
  })
} else {
  server.router.get('/json', () => ({ hello: 'world' }))
}
server.router.get('/users/:id', (request) => ({ id: request.params.id }))
if (scenario === Scenarios.View) {
  const { Views } = await import('../../../framework/dist/public/views.js')
  server.configure({ ...listening, views: new Views(viewsFolder) })
  server.router.get('/view', (_request, response) => response.view('list', { items }))
}

if (scenario === Scenarios.Input) {
  const { Note } = await import('./note-schema.ts')
  server.router.post('/notes', ({ input: { body } }) => answer(body), { body: Note })
}
if (scenario === Scenarios.Unchecked) {
  server.router.post('/notes', async (request) => answer(asNote(await request.json())))
}
await server.listen()
ready()

interface Note {
  readonly title: string
  readonly tags: readonly string[]
}

function answer({ title, tags }: Note): { title: string; tags: number } {
  return { title, tags: tags.length }
}

// Believes what came, as code without validation does.
function asNote(value: unknown): Note {
  return Object(value)
}
