// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { action, checkInput, Problem, Router } from '../../src/public/http.ts'
import type {
  Action,
  Handler,
  Params,
  PathParams,
  RouteOptions,
  UploadedFile,
} from '../../src/public/http.ts'
import { file, image, withFiles } from '../../src/public/uploads.ts'

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false

function same<One, Other>(_same: Same<One, Other>): void {}

const router = new Router()

// The output of a schema, not its input: texts of a form become what the schema makes of them.
const Note = v.object({ title: v.string(), stars: v.pipe(v.string(), v.toNumber()) })
const Filter = z.object({ tag: z.array(z.string()).default([]), page: z.coerce.number() })
const Later = v.objectAsync({
  email: v.pipeAsync(
    v.string(),
    v.checkAsync(async () => true),
  ),
})
const Size = type({ width: 'number', 'depth?': 'number' })

router.post(
  '/notes/:id<int>',
  ({ params, input }) => {
    same<typeof params, { readonly id: number }>(true)
    same<typeof input.body, { title: string; stars: number }>(true)
    same<typeof input.query, { tag: string[]; page: number }>(true)
    // @ts-expect-error only what is declared is there
    return input.files
  },
  { body: Note, query: Filter, middlewares: [] },
)

router.put('/size', ({ input }) => input.body.width + (input.body.depth ?? 0), { body: Size })
router.patch('/later', ({ input }) => input.body.email.trim(), { body: Later, name: 'later' })

router.get('/notes', ({ input }) => input.query.page.toFixed(), { query: Filter })

// @ts-expect-error the route declares no body
router.post('/plain', ({ input }) => input.body)

// @ts-expect-error only the query is declared
router.post('/query', ({ input }) => input.body, { query: Filter })

// @ts-expect-error not a schema
router.post('/wrong', () => '', { body: { title: 'text' } })

// @ts-expect-error an unknown option is a mistake, with schemas too
router.post('/typo', () => '', { body: Note, midlewares: [] })

const Files = {
  one: file({ max: '1 MB', types: ['application/pdf'] }),
  maybe: image({ max: 1, required: false }),
  many: file({ max: 1, files: 3, required: false }),
}
type FileBody = {
  readonly one: UploadedFile
  readonly maybe: UploadedFile | null
  readonly many: readonly UploadedFile[]
}
router.post(
  '/files',
  ({ input }) => {
    same<(typeof input.body)['title'], string>(true)
    same<Pick<typeof input.body, keyof FileBody>, FileBody>(true)
  },
  { body: withFiles(Note, Files) },
)

// @ts-expect-error not fields of files
withFiles(Note, { title: Note })

// Handlers that do not care about the input go on working.
const plain: Handler = (request) => request.path
const named: Handler<{ id: string }> = ({ params }) => params.id
const numbered: Handler<{ id: number }> = ({ params }) => params.id
router.post('/a', plain, { body: Note }).post('/b/:id', named, { body: Note })
router.get('/c/:id<int>', plain).get('/d/:id<int>', numbered)
const options: RouteOptions = { name: 'e' }
router.get('/e', plain, options)

// @ts-expect-error a number where the handler expects a text
router.get('/f/:id<int>', named)

// A handler that needs input takes a route that declares it.
const needsBody: Handler<Params, { body: { title: string } }> = ({ input }) => {
  return input.body.title
}
router.post('/g', needsBody, { body: Note })
// @ts-expect-error the route declares no body
router.post('/g', needsBody)

// An action declares its input once, in its own file.
function addNote(): Action {
  return action({ body: Note, form: '/notes/new' }, ({ input }) => {
    same<typeof input.body, { title: string; stars: number }>(true)
    // @ts-expect-error only what is declared is there
    return input.query
  })
}

function editNote(): Action<PathParams<'/notes/:id<int>'>> {
  return action({ body: Note }, ({ params, input }) => {
    same<typeof params.id, number>(true)
    return input.body.title.repeat(params.id)
  })
}

router.post('/notes', addNote(), { middlewares: [] }).put('/notes/:id<int>', editNote())
// @ts-expect-error the action needs the parameter `id`
router.put('/notes', editNote())

router.post('/by-hand', async (request) => {
  const note = await request.validate(Note)
  same<typeof note, { title: string; stars: number }>(true)
  const filter = await request.validate(Filter, 'query')
  same<typeof filter, { tag: string[]; page: number }>(true)
  const { values, errors } = await checkInput(Size, {})
  return errors ?? values.width
})

class OutOfStock extends Problem<{ left: number }> {
  static override readonly type = '/problems/out-of-stock'
  static override readonly title = 'Out of stock'
  static override readonly status = 409
}
class Closed extends Problem {
  static override readonly status = 410
}
router.post('/orders', () => '', { problems: [OutOfStock, Closed] })
void new OutOfStock('Two are left.', { left: 2 }, { headers: { 'Retry-After': '60' } })
void new Closed('The shop is closed.')
// @ts-expect-error the members are missing
void new OutOfStock('Two are left.')
// @ts-expect-error a member of another type
void new OutOfStock('Two are left.', { left: 'two' })
// @ts-expect-error not a problem
router.post('/orders', () => '', { problems: [Error] })

// What the API document says beside the input changes no type of it.
router.post('/described/:id<int>', ({ params, input }) => input.body.stars + params.id, {
  body: Note,
  openapi: { summary: 'Adds', tags: ['Notes'], responses: { 201: Note, 404: 'No such note.' } },
})
router.get('/hidden', () => '', { openapi: false })
// @ts-expect-error a response is a schema or a text
router.get('/wrong', () => '', { openapi: { responses: { 200: { title: 'text' } } } })
// @ts-expect-error only false leaves a route out; `{}` lists it
router.get('/listed', () => '', { openapi: true })
