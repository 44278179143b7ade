import { hash, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as v from 'valibot'
import { type Member, type PeerDatabase, pageSize } from '../peer-database.ts'
import { pageOf } from './pages.ts'
import { Failure, type Handler, readBody, send } from './responses.ts'

const NewNote = v.object({
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  text: v.pipe(v.string(), v.maxLength(2000)),
  priority: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3)),
})

const type = 'application/json; charset=utf-8'

/** The routes for programs. */
export function apiRoutes(
  database: PeerDatabase,
  folder: string,
): readonly (readonly [string, Handler])[] {
  async function memberOf({ headers: { authorization = '' } }: IncomingMessage): Promise<Member> {
    if (!authorization.startsWith('Bearer ')) throw new Failure(401)
    const digest = hash('sha256', authorization.slice(7), 'hex')
    const member = await database.memberByToken(digest, Date.now())
    if (member === null) throw new Failure(401)
    return member
  }

  async function items(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await memberOf(request)
    const page = pageOf(request.url ?? '')
    const { items, total } = await database.page(pageSize, (page - 1) * pageSize)
    const pages = Math.ceil(total / pageSize)
    const body = JSON.stringify({ items, page, pages, limit: pageSize, total })
    return send(request, response, { type, body })
  }

  async function addNote(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id: userId } = await memberOf(request)
    if (request.headers['content-type']?.startsWith('application/json') !== true) {
      throw new Failure(415)
    }
    const { success, output } = v.safeParse(NewNote, parsed(await readBody(request, 65_536)))
    if (!success) throw new Failure(422)
    const id = await database.addNote({ userId, ...output })
    return send(request, response, { status: 201, type, body: JSON.stringify({ id, ...output }) })
  }

  async function upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await memberOf(request)
    const boundary = /boundary=([\w'()+,./:=?-]+)/.exec(request.headers['content-type'] ?? '')?.[1]
    if (boundary === undefined) throw new Failure(415)
    const { name, content } = fileIn(await readBody(request, 2 * 2 ** 20), boundary)
    const path = join(folder, 'uploads', randomUUID())
    await writeFile(path, content)
    await rm(path)
    return send(request, response, { type, body: JSON.stringify({ name, size: content.length }) })
  }

  return [
    ['GET /api/items', items],
    ['POST /api/notes', addNote],
    ['POST /api/uploads', upload],
  ]
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new Failure(400)
  }
}

/** The first part of a form that is a file. */
function fileIn(body: Buffer, boundary: string): { name: string; content: Buffer } {
  const start = body.indexOf('\r\n\r\n')
  const name = /filename="([^"]*)"/.exec(body.toString('latin1', 0, start))?.[1]
  const end = body.indexOf(`\r\n--${boundary}`, start + 4)
  if (start === -1 || end === -1 || name === undefined) throw new Failure(422)
  return { name, content: body.subarray(start + 4, end) }
}
