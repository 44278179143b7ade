import { readFile } from 'node:fs/promises'
import type { LoadRequest } from '../method/load.ts'
import { CookieJar, type Exchanged, exchange, tokenIn } from './exchange.ts'
import { member } from './plant.ts'
import { type Stage, uploadType } from './stage.ts'
import type { Task } from './tasks.ts'

/** A server that a visitor comes to. */
export interface Place {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string
  /** The API token in its database. */
  readonly token: string
}

/** A note that is valid. */
export const note = {
  title: 'Order more oak bowls',
  text: 'The shelf in the shop is nearly empty, and two people have asked for them this week.',
  priority: 2,
} as const

/**
 * Visits a server as the task wants it, and resolves with the request that is measured.
 * @throws Error when the visit goes wrong.
 */
export async function requestOf(task: Task, place: Place, stage: Stage): Promise<LoadRequest> {
  const url = place.origin + task.path
  return { url, ...(await visits[task.kind](url, place, { task, stage })) }
}

type Visit = (
  url: string,
  place: Place,
  around: { readonly task: Task; readonly stage: Stage },
) => Omit<LoadRequest, 'url'> | Promise<Omit<LoadRequest, 'url'>>

const json = 'application/json'

/** What is sent beside the address. */
const visits: Readonly<Record<Task['kind'], Visit>> = {
  list: (_url, _place, { task: { encoding } }) =>
    encoding === null ? {} : { headers: { 'accept-encoding': encoding } },
  form: async (url) => ({ headers: { cookie: await guestCookies(url) } }),
  newcomer: () => ({}),
  guarded: async (_url, { origin }) => ({ headers: { cookie: await signIn(origin) } }),
  api: (_url, { token }) => ({ headers: { authorization: `Bearer ${token}` } }),
  insert: (_url, { token }) => ({
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': json },
    body: JSON.stringify(note),
  }),
  static: () => ({}),
  unchanged: async (url) => ({ headers: await validatorOf(url) }),
  upload: (_url, { token }, { stage }) => ({
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': uploadType },
    bodyFile: stage.upload,
  }),
  login: () => ({}),
}

/** Sends the request of a task once. */
export async function sendOnce(request: LoadRequest): Promise<Exchanged> {
  const { bodyFile } = request
  return bodyFile === undefined ? exchange(request) : exchange(request, await readFile(bodyFile))
}

/** What a sign-in did. */
export interface SignedIn {
  /** The response to the form. */
  readonly entered: Exchanged
  /** The session cookie of the guest, and of the member. */
  readonly before: string
  readonly after: string
}

/** Fills in the form of `/login`. */
export async function enter(origin: string, password: string): Promise<SignedIn> {
  const url = `${origin}/login`
  const jar = new CookieJar()
  const page = await exchange({ url })
  jar.take(page)
  const token = tokenIn(page.text)
  if (page.status !== 200 || token === null) {
    throw new Error(`${url} answers ${page.status} and no form with a token`)
  }
  const before = jar.header
  const fields = { [token.name]: token.value, email: member.email, password }
  const headers = {
    cookie: before,
    origin,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const body = new URLSearchParams(fields).toString()
  const entered = await exchange({ url, method: 'POST', headers, body })
  jar.take(entered)
  return { entered, before, after: jar.header }
}

async function signIn(origin: string): Promise<string> {
  const { entered, before, after } = await enter(origin, member.password)
  const { status, headers, text } = entered
  const isRight = (status === 302 || status === 303) && headers.location?.endsWith('/account')
  if (isRight !== true || after === before) {
    const came = `${status} ${headers.location ?? text}`.slice(0, 300)
    throw new Error(`${origin}/login answers ${came}, expected a redirect to /account and a cookie`)
  }
  return after
}

async function guestCookies(url: string): Promise<string> {
  const jar = new CookieJar()
  jar.take(await exchange({ url }))
  if (jar.header === '') throw new Error(`${url} gives a guest no session`)
  return jar.header
}

async function validatorOf(url: string): Promise<Record<string, string>> {
  const { headers } = await exchange({ url })
  const { etag, 'last-modified': modified } = headers
  if (etag !== undefined) return { 'if-none-match': etag }
  if (modified !== undefined) return { 'if-modified-since': modified }
  throw new Error(`${url} has neither ETag nor Last-Modified`)
}
