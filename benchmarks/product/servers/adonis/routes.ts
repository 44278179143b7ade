import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { HttpContext } from '@adonisjs/core/http'
import type { ApplicationService } from '@adonisjs/core/types'
import type { NextFn } from '@adonisjs/core/types/http'
import vine from '@vinejs/vine'
import type { Member, PeerDatabase } from '../peer-database.ts'
import { verifyPassword } from '../peer-password.ts'
import { itemsView, readItemsPage } from '../shared/items-page.ts'
import { tokenDigest } from '../shared/token-digest.ts'
import { shield } from './kernel.ts'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** The member whose token a program sent. */
    member?: Member
  }
}

const noteValidator = vine.compile(
  vine.object({
    title: vine.string().minLength(1).maxLength(100),
    text: vine.string().maxLength(2000),
    priority: vine.number({ strict: true }).withoutDecimals().range([1, 3]),
  }),
)

const loginValidator = vine.compile(
  vine.object({ email: vine.string().maxLength(254), password: vine.string().maxLength(200) }),
)

/** What `start/routes.ts` of a project holds. */
export async function addRoutes(
  app: ApplicationService,
  database: PeerDatabase,
  folder: string,
): Promise<void> {
  const router = await app.container.make('router')
  const { csrf } = await shield(app)
  const { default: SessionMiddleware } = await import('@adonisjs/session/session_middleware')
  const sessions = await app.container.make(SessionMiddleware)
  const session = [
    (context: HttpContext, next: NextFn) => sessions.handle(context, next),
    (context: HttpContext, next: NextFn) => csrf.handle(context, next),
  ]

  router.get('/items', async ({ request, view }) => {
    const list = await readItemsPage(database, pageOf(request))
    return view.render('pages/items', itemsView(list))
  })

  router
    .group(() => {
      router.get('/contact', ({ view }) => view.render('pages/contact'))
      router.get('/login', ({ view }) => view.render('pages/login'))
      router.post('/login', async ({ request, response, session }) => {
        const { email, password } = await request.validateUsing(loginValidator)
        const found = await database.memberByEmail(email)
        if (found === null || !(await verifyPassword(found.password, password))) {
          return response.redirect().toPath('/login')
        }
        session.regenerate()
        session.put('userId', found.id)
        return response.redirect().status(303).toPath('/account')
      })
      router.get('/account', async ({ session, response, view }) => {
        const userId: unknown = session.get('userId')
        const member = typeof userId === 'number' ? await database.member(userId) : null
        if (member === null) return response.redirect().toPath('/login')
        return view.render('pages/account', { member })
      })
    })
    .use(session)

  router
    .group(() => {
      router.get('/items', ({ request }) => readItemsPage(database, pageOf(request)))
      router.post('/notes', async ({ request, response, member }) => {
        const note = await request.validateUsing(noteValidator)
        const id = await database.addNote({ ...note, userId: member?.id ?? 0 })
        return response.created({ id, ...note })
      })
      router.post('/uploads', async ({ request, response }) => {
        const file = request.file('file', { size: '10mb' })
        if (file === null || !file.isValid) {
          return response.unprocessableEntity({ error: 'a file is missing' })
        }
        const name = randomUUID()
        const uploads = join(folder, 'uploads')
        await file.move(uploads, { name })
        await rm(join(uploads, name))
        return { name: file.clientName, size: file.size }
      })
    })
    .prefix('/api')
    .use([forceJson, bearer(database)])
}

/** As the starter kit for APIs has it: errors are JSON whatever a program asks for. */
function forceJson({ request }: HttpContext, next: NextFn): unknown {
  request.request.headers.accept = 'application/json'
  return next()
}

/** The guard of `@adonisjs/auth` wants Lucid for its tokens. */
function bearer(database: PeerDatabase) {
  return async (context: HttpContext, next: NextFn): Promise<unknown> => {
    const [scheme, token] = context.request.header('authorization')?.split(' ') ?? []
    const known = scheme === 'Bearer' && token !== undefined
    const member = known ? await database.memberByToken(tokenDigest(token), Date.now()) : null
    if (member === null) return context.response.unauthorized({ error: 'a token is missing' })
    context.member = member
    return next()
  }
}

function pageOf(request: HttpContext['request']): string | undefined {
  const page: unknown = request.qs()['page']
  return typeof page === 'string' ? page : undefined
}
