import type { IncomingMessage, ServerResponse } from 'node:http'
import { type PeerDatabase, pageSize } from '../peer-database.ts'
import { verifyPassword } from '../peer-password.ts'
import { accountPage, contactPage, itemsPage, loginPage } from './html.ts'
import { type Handler, randomPart, readBody, redirect, send } from './responses.ts'
import {
  checkOrigin,
  checkToken,
  maskedToken,
  type OpenedSession,
  type Sessions,
} from './sessions.ts'

const type = 'text/html; charset=utf-8'

/** The routes for people. */
export function pageRoutes(
  database: PeerDatabase,
  sessions: Sessions,
): readonly (readonly [string, Handler])[] {
  async function items(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = pageOf(request.url ?? '')
    const { items, total } = await database.page(pageSize, (page - 1) * pageSize)
    const nonce = newNonce()
    const body = itemsPage({ nonce, items, total, page, pages: Math.ceil(total / pageSize) })
    return send(request, response, { type, body, nonce })
  }

  const form =
    (page: (values: { nonce: string; token: string }) => string): Handler =>
    (request, response) => {
      const answer = ({ session, cookies }: OpenedSession): Promise<void> | void => {
        const nonce = newNonce()
        const body = page({ nonce, token: maskedToken(session) })
        const headers = ['Cache-Control', 'private, no-cache', ...cookies]
        return send(request, response, { type, body, nonce, headers })
      }
      const opened = sessions.open(request)
      return opened instanceof Promise ? opened.then(answer) : answer(opened)
    }

  async function account(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { session } = await sessions.open(request)
    const member = session.identity === null ? null : await database.member(session.identity)
    if (member === null) return redirect(request, response, '/login')
    const nonce = newNonce()
    return send(request, response, { type, body: accountPage({ nonce, member }), nonce })
  }

  async function enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    checkOrigin(request)
    const { session } = await sessions.open(request)
    const fields = new URLSearchParams((await readBody(request, 65_536)).toString())
    checkToken(session, fields.get('_token'))
    const member = await database.memberByEmail((fields.get('email') ?? '').trim().toLowerCase())
    // As long for an unknown address as for a wrong password.
    const isRight = await verifyPassword(member?.password ?? decoy, fields.get('password') ?? '')
    if (member === null || !isRight) return redirect(request, response, '/login')
    redirect(request, response, '/account', await sessions.enter(request, member.id))
  }

  return [
    ['GET /items', items],
    ['GET /contact', form(contactPage)],
    ['GET /login', form(loginPage)],
    ['POST /login', enter],
    ['GET /account', account],
  ]
}

const decoy = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** The page that a query asks for. */
export function pageOf(url: string): number {
  const mark = url.indexOf('?')
  if (mark === -1) return 1
  const page = Number(new URLSearchParams(url.slice(mark + 1)).get('page'))
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}

function newNonce(): string {
  return randomPart(16).toString('base64')
}
