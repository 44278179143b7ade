import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { vValidator } from '@hono/valibot-validator'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { csrf } from 'hono/csrf'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { requestId } from 'hono/request-id'
import { NONCE, secureHeaders, type SecureHeadersVariables } from 'hono/secure-headers'
import { maxLength, object, pipe, string } from 'valibot'
import { type Contestant, contestant } from '../contestant.ts'
import { type Member, openPeerDatabase } from '../peer-database.ts'
import { verifyPassword } from '../peer-password.ts'
import { itemsView, readItemsPage } from '../shared/items-page.ts'
import { NoteSchema } from '../shared/note-schema.ts'
import { tokenDigest } from '../shared/token-digest.ts'
import { openViews } from '../shared/views.ts'
import { newFormToken, type SessionVariables, sessions } from './sessions.ts'

interface Env {
  Variables: SecureHeadersVariables & SessionVariables & { member: Member }
}

const formToken = pipe(string(), maxLength(100))
const LoginSchema = object({
  _token: formToken,
  email: pipe(string(), maxLength(254)),
  password: pipe(string(), maxLength(200)),
})

/** The product as the documentation of Hono has it: its own middlewares, in front of what needs them. */
export async function openProduct(key: Buffer): Promise<Contestant & { readonly app: Hono<Env> }> {
  const settings = contestant()
  const { folder } = settings
  const database = await openPeerDatabase(settings.database)
  const views = openViews()
  const uploads = join(folder, 'uploads')
  await mkdir(uploads, { recursive: true })

  const app = new Hono<Env>()
  const page = (
    context: Context<Env>,
    name: string,
    data: object,
  ): Response | Promise<Response> => {
    const { secureHeadersNonce: nonce } = context.var
    return context.html(views.render(name, { ...data, nonce }))
  }

  app.use(requestId())
  app.use(
    secureHeaders({
      referrerPolicy: 'strict-origin-when-cross-origin',
      contentSecurityPolicy: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        scriptSrc: ["'self'", NONCE],
        styleSrc: ["'self'", NONCE],
      },
      permissionsPolicy: {
        camera: false,
        geolocation: false,
        microphone: false,
        payment: false,
        usb: false,
      },
    }),
  )
  app.use(compress())
  const retainedHeaders = [...RETAINED_304_HEADERS, 'x-request-id']
  app.use('/static/*', etag({ retainedHeaders }), tagByTime, serveStatic({ root: folder }))

  app.get('/items', async (context) => {
    const list = await readItemsPage(database, context.req.query('page'))
    return page(context, 'items', itemsView(list))
  })

  // Only these routes have sessions, and only forms of a browser need a check of their origin.
  const withSession = await sessions(settings, database, key)
  for (const path of ['/contact', '/login', '/account']) app.use(path, csrf(), ...withSession)

  app.get('/contact', async (context) =>
    page(context, 'contact', { token: await newFormToken(context.var.session) }),
  )
  app.get('/login', async (context) =>
    page(context, 'login', { token: await newFormToken(context.var.session) }),
  )
  app.post('/login', vValidator('form', LoginSchema), async (context) => {
    const { session, sessionStorage } = context.var
    const { _token: token, email, password } = context.req.valid('form')
    const known = await session.get()
    if (known === null || known.token !== token) return context.text('Forbidden', 403)
    const found = await database.memberByEmail(email)
    if (found === null || !(await verifyPassword(found.password, password))) {
      return context.text('The e-mail or the password is wrong.', 422)
    }
    // It has no method for a new id: one whose row is gone gets one when it is written.
    if (session.id !== null) await sessionStorage?.delete(session.id)
    await session.update({ userId: found.id, token: randomUUID() })
    return context.redirect('/account', 303)
  })
  app.get('/account', async (context) => {
    const { userId } = (await context.var.session.get()) ?? {}
    const member = userId === undefined ? null : await database.member(userId)
    if (member === null) return context.redirect('/login', 303)
    return page(context, 'account', { member })
  })

  app.use(
    '/api/*',
    bearerAuth({
      async verifyToken(token, context: Context<Env>) {
        const member = await database.memberByToken(tokenDigest(token), Date.now())
        if (member !== null) context.set('member', member)
        return member !== null
      },
    }),
  )
  app.get('/api/items', async (context) =>
    context.json(await readItemsPage(database, context.req.query('page'))),
  )
  app.post('/api/notes', vValidator('json', NoteSchema), async (context) => {
    const note = context.req.valid('json')
    const id = await database.addNote({ ...note, userId: context.var.member.id })
    return context.json({ id, ...note }, 201)
  })
  app.post('/api/uploads', bodyLimit({ maxSize: 10 * 2 ** 20 }), async (context) => {
    const { file } = await context.req.parseBody()
    if (!(file instanceof File)) return context.json({ error: 'a file is missing' }, 422)
    const path = join(uploads, randomUUID())
    await writeFile(path, file.stream())
    await rm(path)
    return context.json({ name: file.name, size: file.size })
  })

  return { ...settings, app }
}

/**
 * The tag of a file by its size and time, as others make it. Without one `etag()` reads the whole file
 * to make one of its content.
 */
const tagByTime: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  const changed = headers.get('Last-Modified')
  if (changed === null) return
  headers.set('ETag', `W/"${headers.get('Content-Length')}-${Date.parse(changed)}"`)
}
