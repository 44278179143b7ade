// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { Server } from '../../src/public/http.ts'
import { MemorySessions, Sessions } from '../../src/public/sessions.ts'
import type { SessionValues } from '../../src/public/sessions.ts'

const store = new MemorySessions()
declare const values: SessionValues
const sessions = new Sessions(store, values)
new Server().use(sessions)

// @ts-expect-error the cookie is always Secure
void new Sessions(store, { secure: false })
// @ts-expect-error the cookie is always HttpOnly
void new Sessions(store, { httpOnly: false })
// @ts-expect-error the cookie is always SameSite=Lax
void new Sessions(store, { sameSite: 'None' })

new Server().router.get('/', async (request) => {
  // @ts-expect-error values of a session are unknown
  const name: string = await request.session.get('name')
  // @ts-expect-error reading is asynchronous
  const isThere: boolean = request.session.has('name')
  // @ts-expect-error the session of a request cannot be replaced
  request.session = sessions.open(request)
  await sessions.revoke('7', { except: request.session })
  return { name, isThere, taken: await request.session.flash('message') }
})
