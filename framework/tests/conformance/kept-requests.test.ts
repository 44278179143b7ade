import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Steps } from '../../src/activity/steps.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { RecordFile } from '../../src/devtools/inspector/record-file.ts'
import type { ActivityRecord } from '../../src/devtools/inspector/activity-record.ts'
import type { Router } from '../../src/http/router/router.ts'
import { recordedLines, Recorder } from '../../src/devtools/inspector/recorder.ts'
import { Channel } from '../../src/logs/channel.ts'
import { inboxSite } from '../support/inbox-site.ts'
import type { InboxSite } from '../support/inbox-site.ts'
import { waitFor } from '../support/wait-for.ts'
import { leakyErrors, OPEN } from './leaky-errors.ts'
import { leaksIn, plantSecrets, spiced } from './planted-secrets.ts'

interface KeepingSite extends InboxSite {
  /** Asks for a page as an administrator; resolves with its text. */
  readonly page: (path: string) => Promise<string>
  /** The records, once there are so many. */
  readonly records: (count: number) => Promise<readonly ActivityRecord[]>
}

const log = new Channel('shop', { sinks: [recordedLines] })

async function keepingSite(
  t: TestContext,
  declare: (router: Router) => void = () => {},
): Promise<KeepingSite> {
  const site = await inboxSite(t, { keeps: true })
  const { server, root, database } = site
  server.router.get('/people/:name', async ({ params }) => {
    await database.rows(sql`SELECT class FROM error_groups WHERE message = ${params.name}`)
    log.info(`one person was shown`, { token: params.name })
    return 'a person'
  })
  server.router.get('/wait/:ms', async ({ params }) => {
    await sleep(Number(params.ms))
    return 'waited'
  })
  declare(server.router)
  await server.listen()
  const file = new RecordFile(join(root, 'kept.sqlite'))
  t.after(() => file.close())
  return {
    ...site,
    page: async (url) => {
      const { status, text } = await server.inject({ url, headers: { 'x-admin': 'yes' } })
      assert.equal(status, 200, text)
      return text
    },
    records: (count) =>
      waitFor('the records', () => {
        const found = file.list({}, 1_000).flatMap(({ number }) => file.read(number) ?? [])
        return found.length >= count && found
      }),
  }
}

test('a slow and a failed request are kept with steps, lines and errors, behind the guard of the inbox', async (t) => {
  const { server, page, records } = await keepingSite(t)
  await server.inject({ url: '/people/ada' })
  await server.inject({ url: '/reports' })
  const [failed, slow] = await records(2)
  assert.ok(failed !== undefined && slow !== undefined)
  assert.deepEqual([slow.subject, slow.status, slow.failed], ['GET /people/:name', '200', false])
  assert.match(slow.texts[slow.steps[0]?.text ?? -1] ?? '', /^SELECT class FROM error_groups/)
  assert.equal(slow.statements, 1)
  assert.deepEqual(
    slow.lines.map(({ message }) => message),
    ['one person was shown'],
  )
  assert.deepEqual([failed.subject, failed.status, failed.failed], ['GET /reports', '500', true])
  assert.equal(failed.incidents[0]?.chain[0]?.message, 'the report cannot be shown')
  // Its line, and that of what it waited for, are known.
  assert.match(failed.steps.at(-1)?.caller?.file ?? '', /inbox-site/)
  assert.match(await page('/inspect'), /GET \/reports/)
  assert.match(await page('/inspect?q=failed'), /href="\/inspect\/2"/)
  assert.match(await page('/inspect/2'), /the report cannot be shown/)
  for (const url of ['/inspect', '/inspect/1', '/inspect/rows', '/inspect/events']) {
    assert.equal((await server.inject({ url })).status, 404, url)
  }
})

test('of each route the slowest are kept, however many there are, and of a storm of failures one in ten seconds', async (t) => {
  const { server, records } = await keepingSite(t)
  const asked = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 0 : 30 + at))
  for (const ms of asked) await server.inject({ url: `/wait/${ms}` })
  for (let at = 0; at < 100; at += 1) await server.inject({ url: '/markup' })
  await server.inject({ url: '/people/ada' })
  const kept = await records(7)
  const waits = kept.filter(({ title }) => title === 'GET /wait/:ms')
  assert.equal(waits.length, 5)
  assert.ok(waits.every(({ durationMs }) => durationMs > 59))
  assert.equal(kept.filter(({ failed }) => failed).length, 1)
})

test('the file of kept requests is bounded in rows and bytes, and private', async (t) => {
  const { server, root, records } = await keepingSite(t)
  await server.inject({ url: '/markup' })
  const [sample] = await records(1)
  assert.ok(sample !== undefined)
  const path = join(root, 'kept.sqlite')
  const file = new RecordFile(path, 300, 'worst')
  t.after(() => file.close())
  const now = Date.now() / 1_000
  for (let hour = 0; hour < 26; hour += 1) {
    const batch = Array.from({ length: 100 }, (_, at): ActivityRecord => {
      const title = `GET /routes/${at % 10}`
      const about = { title, subject: title, durationMs: at, at: now - hour * 3_600 }
      const texts = ['x'.repeat(39_000)]
      return {
        ...sample,
        ...about,
        key: `${hour}-${at}`,
        failed: at % 3 === 0,
        texts,
        incidents: [],
      }
    })
    file.write(batch)
  }
  const listed = file.list({}, 10_000)
  assert.equal(listed.length, 300)
  assert.ok(listed.every(({ at }) => at > now - 86_400))
  assert.ok(statSync(path).size < 40_000_000)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  // Of one route and hour no more than five, and those are the slowest.
  const [first] = listed
  const equal = listed.filter(
    ({ title, failed, at }) => title === first?.title && !failed && at === first.at,
  )
  assert.ok(equal.length <= 5)
})

test('no value of a request or an error is in the file of kept requests or on its pages', async (t) => {
  const secrets = plantSecrets()
  const errors = leakyErrors(secrets)
  const { server, root, page, records } = await keepingSite(t, (router) => {
    for (const [name, make] of Object.entries(errors)) {
      router.get(`/leaky/${name}/:verifier/:token`, () => {
        throw make()
      })
    }
  })
  const value = (place: Parameters<typeof spiced>[1]): string =>
    encodeURIComponent(spiced(secrets, place))
  const headers = {
    authorization: `Bearer ${value('authorization')}`,
    cookie: `session=${value('cookie')}`,
    referer: `http://localhost/?access_token=${value('referer query')}`,
    'user-agent': value('x-api-key'),
  }
  for (const name of Object.keys(errors)) {
    const url = `/leaky/${name}/${value(':verifier')}/${value(':token')}?q=${value('query')}`
    assert.equal((await server.inject({ url, headers })).status, 500)
  }
  await server.inject({ url: `/people/${value('nested query')}?q=${value('query')}`, headers })
  const kept = await records(Object.keys(errors).length + 1)
  const shown = [await page('/inspect')]
  for (let at = 1; at <= kept.length; at += 1) shown.push(await page(`/inspect/${at}`))
  for (const ending of ['', '-wal']) {
    shown.push(readFileSync(join(root, `kept.sqlite${ending}`), 'latin1'))
  }
  for (const text of shown) assert.deepEqual(leaksIn(text, secrets), [])
  assert.ok(shown.some((text) => text.includes(OPEN)))
})

test('without the option there is no such page, and no step is watched', async (t) => {
  const { server } = await inboxSite(t)
  const watched = Steps.Instance.skipsStatement('', 0, 0)
  await server.listen()
  assert.equal(Steps.Instance.skipsStatement('', 0, 0), watched)
  assert.equal(Recorder.takeLine, null)
  const headers = { 'x-admin': 'yes' }
  assert.equal((await server.inject({ url: '/inspect', headers })).status, 404)
})
