import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { MemoryJobs } from '../../src/queue/memory-jobs.ts'
import { Queue } from '../../src/queue/queue.ts'
import { runQueue } from '../../src/queue/run-queue.ts'
import { inboxSite } from '../support/inbox-site.ts'
import type { InboxSite } from '../support/inbox-site.ts'
import { tokenIn } from './csrf-site.ts'
import { leakyErrors } from './leaky-errors.ts'
import { leaksIn, plantSecrets, spiced } from './planted-secrets.ts'

const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')

interface Site extends InboxSite {
  readonly mails: Queue
  readonly jobs: MemoryJobs
}

async function siteWithQueue(t: TestContext): Promise<Site> {
  const jobs = new MemoryJobs()
  const mails = new Queue('mail', jobs, { encrypter, attempts: 1 })
  return { ...(await inboxSite(t, { queues: [mails] })), mails, jobs }
}

/** Lets so many jobs die. */
async function bury({ mails, throwables }: Site, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await mails.push({ at })
  const fail = (): never => {
    throw new TypeError('no mail server')
  }
  await runQueue(mails, fail, { once: true, throwables, registry: null })
}

/** An administrator with a browser that keeps its cookie. */
function adminOf({ server }: InboxSite) {
  let cookie = ''
  const ask = async (url: string, body?: URLSearchParams): Promise<InjectedResponse> => {
    const headers = { accept: 'text/html', 'x-admin': 'yes', ...(cookie !== '' && { cookie }) }
    const sent = body === undefined ? {} : ({ method: 'POST', body } as const)
    const answer = await server.inject({ url, headers, ...sent })
    cookie = answer.cookies[0]?.split(';')[0] ?? cookie
    return answer
  }
  const get = async (url: string): Promise<string> => {
    const answer = await ask(url)
    assert.equal(answer.status, 200, answer.text)
    return answer.text
  }
  return {
    get,
    /** Presses a button on the page of the queue; resolves with the page that it leads to. */
    async press(url: string, fields: Record<string, string>): Promise<string> {
      const body = new URLSearchParams({ _token: tokenIn(await get(url)), ...fields })
      const answer = await ask(url, body)
      assert.deepEqual([answer.status, answer.headers['location']], [303, url])
      return get(url)
    },
    ask,
  }
}

const idsOn = (page: string): string[] =>
  [...page.matchAll(/<td><code>(\d+)<\/code>/g)].map(([, id = '']) => id)

test('the queues are listed with their depths, also one that nobody named', async (t) => {
  const site = await siteWithQueue(t)
  const admin = adminOf(site)
  assert.match(await admin.get('/queue'), /href="\/queue\/mail">mail<\/a>/)
  await bury(site, 2)
  await site.mails.push('waits')
  await site.mails.push('later', { delay: 60 })
  await site.jobs.add('<b>"', { payload: Buffer.from('x'), delay: 0, digest: null, remember: 0 })
  const page = await admin.get('/queue')
  assert.match(page, /waiting">1<.*delayed">1<.*running">0<.*dead"><span class="bad">2</s)
  assert.match(page, /<a href="\/errors\?q=TypeError">TypeError<\/a>/)
  assert.match(page, /href="\/queue\/%3Cb%3E%22">&lt;b&gt;&quot;</)
  assert.match(await admin.get('/queue/%3Cb%3E%22'), /<h1>&lt;b&gt;&quot;<\/h1>/)
})

test('dead jobs come first, with their error, a link to the inbox, and no payload', async (t) => {
  const site = await siteWithQueue(t)
  const admin = adminOf(site)
  assert.match(await admin.get('/queue/mail'), /There are no waiting jobs/)
  await bury(site, 2)
  const page = await admin.get('/queue/mail')
  assert.deepEqual(idsOn(page), ['2', '1'])
  assert.match(page, /<a href="\/errors\?q=TypeError">TypeError<\/a>/)
  assert.match(page, /encrypted, \d+ bytes/)
  await site.inbox.flush()
  assert.match(await admin.get('/errors?q=TypeError'), /no mail server/)
})

test('jobs are retried and deleted one by one or all, and the page says so', async (t) => {
  const site = await siteWithQueue(t)
  const { mails, jobs } = site
  const admin = adminOf(site)
  await bury(site, 5)
  const dead = '/queue/mail?state=dead'
  const page = await admin.press(dead, { action: 'retry', id: '3' })
  assert.match(page, /role="status">mail: job 3 will be retried</)
  assert.deepEqual(idsOn(page), ['5', '4', '2', '1'])
  assert.match(await admin.press(dead, { action: 'retry', id: '3' }), /job 3 is not dead</)
  assert.deepEqual(idsOn(await admin.press(dead, { action: 'delete', id: '5' })), ['4', '2', '1'])
  const [running] = await jobs.claim('mail', 1, 60)
  assert.equal(running?.id, '3')
  assert.match(await admin.press(dead, { action: 'delete', id: '3' }), /3 is running or gone</)
  const list = await admin.get('/queue/mail?state=running')
  assert.deepEqual(idsOn(list), ['3'])
  assert.doesNotMatch(list, /<summary>/)
  assert.match(await admin.get(dead), /Retry all 3 dead jobs/)
  const after = await admin.press(dead, { action: 'retry' })
  assert.match(after, /3 dead jobs will be retried.*There are no dead jobs/s)
  const { waiting, running: runs, dead: left } = await mails.counts()
  assert.deepEqual([waiting, runs, left], [3, 1, 0])
})

test('a queue is paused and resumed', async (t) => {
  const site = await siteWithQueue(t)
  const admin = adminOf(site)
  await site.mails.push('x')
  assert.match(await admin.press('/queue/mail', { action: 'pause' }), />paused<.*>Resume</s)
  assert.match(await admin.get('/queue'), />paused</)
  assert.deepEqual(await site.jobs.claim('mail', 1, 60), [])
  assert.match(await admin.press('/queue/mail', { action: 'resume' }), />Pause</)
  assert.equal((await site.jobs.claim('mail', 1, 60)).length, 1)
})

test('many jobs are on several pages', async (t) => {
  const site = await siteWithQueue(t)
  const admin = adminOf(site)
  await bury(site, 51)
  const first = await admin.get('/queue/mail')
  assert.equal(idsOn(first).length, 50)
  assert.match(first, /href="\/queue\/mail\?state=dead&amp;page=2">Older/)
  const second = await admin.get('/queue/mail?state=dead&page=2')
  assert.deepEqual(idsOn(second), ['1'])
  assert.doesNotMatch(second, /Older/)
  assert.match(await admin.get('/queue/mail?state=odd&page=-1'), /Page 1/)
  assert.match(await admin.get('/queue/mail?page=9999'), /There are no more jobs/)
})

test('guests find nothing, whatever they send, and nothing changes', async (t) => {
  const site = await siteWithQueue(t)
  await bury(site, 1)
  const body = new URLSearchParams({ action: 'delete', id: '1' })
  for (const [method, url] of [
    ['GET', '/queue'],
    ['GET', '/queue/mail'],
    ['POST', '/queue/mail'],
  ] as const) {
    const answer = await site.server.inject({ method, url, ...(method === 'POST' && { body }) })
    assert.equal(answer.status, 404, `${method} ${url}`)
    assert.doesNotMatch(answer.text, /TypeError/)
  }
  assert.equal((await site.mails.counts()).dead, 1)
})

test('a form without its token, its action or its job changes nothing', async (t) => {
  const site = await siteWithQueue(t)
  await bury(site, 1)
  const admin = adminOf(site)
  const forged = await admin.ask('/queue/mail', new URLSearchParams({ action: 'delete', id: '1' }))
  assert.equal(forged.status, 403)
  const _token = tokenIn(await admin.get('/queue/mail'))
  for (const fields of [{}, { action: 'clear' }, { action: 'delete' }, { action: 'toString' }]) {
    const body = new URLSearchParams({ _token, ...fields })
    assert.equal((await admin.ask('/queue/mail', body)).status, 404)
  }
  const body = new URLSearchParams({ _token, action: 'pause' })
  assert.equal((await admin.ask('/queue/nobody', body)).status, 404)
  assert.equal((await admin.ask('/queue/nobody')).status, 404)
  assert.equal((await site.mails.counts()).dead, 1)
})

test('no secret of a payload, a key or an error is on the pages', async (t) => {
  const secrets = plantSecrets()
  const site = await siteWithQueue(t)
  const { mails, throwables } = site
  const errors = Object.values(leakyErrors(secrets))
  for (const [at] of errors.entries()) {
    const link = `https://site/reset/${spiced(secrets, ':verifier')}`
    const text = spiced(secrets, 'page context')
    await mails.push({ at, link, text }, { key: `${text}:${at}` })
  }
  const fail = ({ payload }: { payload: unknown }): never => {
    throw errors[Number(Object(payload).at)]?.()
  }
  await runQueue(mails, fail, { once: true, throwables, registry: null })
  await mails.push({ link: spiced(secrets, ':token') })
  const admin = adminOf(site)
  const dead = await admin.get('/queue/mail?state=dead')
  assert.equal(idsOn(dead).length, errors.length)
  for (const page of [
    dead,
    await admin.get('/queue'),
    await admin.get('/queue/mail?state=waiting'),
  ])
    assert.deepEqual(leaksIn(page, secrets), [])
})

test('without queues there is no such page', async (t) => {
  const { server } = await inboxSite(t)
  assert.equal((await server.inject({ url: '/queue', headers: { 'x-admin': 'yes' } })).status, 404)
})
