import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import compression from 'compression'
import { csrfSync } from 'csrf-sync'
import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Response,
} from 'express'
import helmet from 'helmet'
import multer from 'multer'
import { maxLength, object, pipe, safeParse, string } from 'valibot'
import type { Contestant } from '../contestant.ts'
import { type Member, openPeerDatabase, type PeerDatabase } from '../peer-database.ts'
import { verifyPassword } from '../peer-password.ts'
import { itemsView, readItemsPage } from '../shared/items-page.ts'
import { NoteSchema } from '../shared/note-schema.ts'
import { tokenDigest } from '../shared/token-digest.ts'
import { openViews } from '../shared/views.ts'
import { sessions } from './sessions.ts'

declare global {
  namespace Express {
    interface Request {
      /** The member whose token a program sent. */
      member?: Member
    }
  }
}

const LoginSchema = object({
  email: pipe(string(), maxLength(254)),
  password: pipe(string(), maxLength(200)),
})

/** The product with the middlewares that the documentation of Express names. */
export async function openProduct(settings: Contestant): Promise<Express> {
  const { folder } = settings
  const database = await openPeerDatabase(settings.database)
  const views = openViews()
  // As the documentation of Eta has it for Express; `res.render` would look for the file first.
  const page = (response: Response, name: string, data: object): void => {
    response.send(views.render(name, { ...data, nonce: nonceOf(response) }))
  }

  const app = express()
  app.use(requestId, newNonce, secureHeaders(), compression())
  app.use('/static', express.static(join(folder, 'static')))

  app.get('/items', async (request, response) => {
    const list = await readItemsPage(database, pageOf(request.query))
    page(response, 'items', itemsView(list))
  })

  // Only these routes have sessions.
  const session = await sessions(settings, database)
  const { generateToken, csrfSynchronisedProtection } = csrfSync({
    getTokenFromRequest: ({ body }) => (hasToken(body) ? body._token : null),
  })
  app.get('/contact', session, (request, response) => {
    page(response, 'contact', { token: generateToken(request) })
  })
  app.get('/login', session, (request, response) => {
    page(response, 'login', { token: generateToken(request) })
  })
  const forms = [session, express.urlencoded(), csrfSynchronisedProtection]
  app.post('/login', ...forms, async (request, response) => {
    const form = safeParse(LoginSchema, request.body)
    const found = form.success ? await database.memberByEmail(form.output.email) : null
    if (
      !form.success ||
      found === null ||
      !(await verifyPassword(found.password, form.output.password))
    ) {
      response.status(422).send('The e-mail or the password is wrong.')
      return
    }
    await promisify(request.session.regenerate.bind(request.session))()
    request.session.userId = found.id
    response.redirect(303, '/account')
  })
  app.get('/account', session, async (request, response) => {
    const { userId } = request.session
    const member = userId === undefined ? null : await database.member(userId)
    if (member === null) response.redirect(303, '/login')
    else page(response, 'account', { member })
  })

  app.use('/api', bearer(database))
  app.get('/api/items', async (request, response) => {
    response.json(await readItemsPage(database, pageOf(request.query)))
  })
  app.post('/api/notes', express.json(), async ({ body, member }, response) => {
    const { success, output, issues } = safeParse(NoteSchema, body)
    if (!success || member === undefined) {
      response.status(422).json({ issues })
      return
    }
    const id = await database.addNote({ ...output, userId: member.id })
    response.status(201).json({ id, ...output })
  })
  const limits = { fileSize: 10 * 2 ** 20, files: 1 }
  const upload = multer({ dest: join(folder, 'uploads'), limits })
  app.post('/api/uploads', upload.single('file'), async ({ file }, response) => {
    if (file === undefined) {
      response.status(422).json({ error: 'a file is missing' })
      return
    }
    await rm(file.path)
    response.json({ name: file.originalname, size: file.size })
  })
  app.use(notFound, failed)
  return app
}

// Express's own two wait for the end of the request, which never comes with `optimizeEmptyRequests`.
const notFound: RequestHandler = (_request, response) => {
  response.status(404).send('Not Found')
}

const failed: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const status = statusOf(error)
  if (response.headersSent) next(error)
  else response.status(status).send(STATUS_CODES[status])
}

/** Express has no ids of requests; its users write this or take a package that does the same. */
const requestId: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Request-Id', randomUUID())
  next()
}

/** As the documentation of Helmet makes a nonce. */
const newNonce: RequestHandler = (_request, response, next) => {
  response.locals['cspNonce'] = randomBytes(16).toString('base64url')
  next()
}

function secureHeaders(): RequestHandler {
  const nonce = (_request: unknown, response: ServerResponse): string =>
    `'nonce-${nonceOf(response)}'`
  return helmet({
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        scriptSrc: ["'self'", nonce],
        styleSrc: ["'self'", nonce],
      },
    },
  })
}

/** Helmet sees the response of Node, without the types of Express. */
function nonceOf(response: object): string {
  const locals = 'locals' in response ? response.locals : null
  const has = typeof locals === 'object' && locals !== null && 'cspNonce' in locals
  return has && typeof locals.cspNonce === 'string' ? locals.cspNonce : ''
}

function bearer(database: PeerDatabase): RequestHandler {
  return async (request, response, next) => {
    const [scheme, token] = request.get('authorization')?.split(' ') ?? []
    const known = scheme === 'Bearer' && token !== undefined
    const member = known ? await database.memberByToken(tokenDigest(token), Date.now()) : null
    if (member === null) {
      response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'a token is missing' })
      return
    }
    request.member = member
    next()
  }
}

function pageOf({ page }: { readonly page?: unknown }): string | undefined {
  return typeof page === 'string' ? page : undefined
}

function hasToken(body: unknown): body is { readonly _token: string } {
  const has = typeof body === 'object' && body !== null && '_token' in body
  return has && typeof body._token === 'string'
}

function statusOf(error: unknown): number {
  const has = typeof error === 'object' && error !== null && 'status' in error
  return has && typeof error.status === 'number' ? error.status : 500
}
