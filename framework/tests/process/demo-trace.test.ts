import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import type { OtlpSpan } from '../support/decode-otlp.ts'
import { demoAccount } from '../support/demo-site.ts'
import { answer, startCollector } from '../support/fake-collector.ts'
import { plantDemo } from '../support/plant-demo.ts'
import { smtpServer } from '../support/smtp-server.ts'
import { spansIn } from '../support/spans-in.ts'
import { Visitor } from '../support/visitor.ts'
import { waitFor } from '../support/wait-for.ts'

const browser = testBrowser()
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

function named(spans: readonly OtlpSpan[], name: string): OtlpSpan {
  const found = spans.find((span) => span.name === name)
  assert.ok(found !== undefined, `${name} is not in ${spans.map((span) => span.name).join(', ')}`)
  return found
}

test(
  'a trace leads from the page to the server, the queue and the mail',
  { skip: browser.skip },
  async (t) => {
    const [collector, mails] = [
      await startCollector(t, answer(200)),
      await smtpServer(t, { secure: 'none' }),
    ]
    const cwd = plantDemo(t)
    const env = {
      PORT: '0',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      MAIL_HOST: '127.0.0.1',
      MAIL_PORT: String(mails.port),
      MAIL_SECURE: 'none',
      MAIL_QUEUE: 'on',
      FRAMEWORK_ENVIRONMENT: 'development',
    }
    const server = new RunningCommand(t, ['serve'], { cwd, env })
    const visitor = await Visitor.arrive(t, browser, await server.url())
    await visitor.open('/forgot')
    await visitor.fillIn({ 'E-mail': demoAccount.email })
    const status = await visitor.page.evaluate(`(async () => {
      const form = document.querySelector('form[action="/forgot"]')
      const body = new URLSearchParams(new FormData(form))
      const headers = { traceparent: '00-${traceId}-${spanId}-01' }
      return (await fetch(form.action, { method: 'POST', body, headers })).status
    })()`)
    assert.equal(status, 200)

    // Pushed after the response.
    const run = ['queue', 'run', 'mail', '--once']
    await waitFor('the letter', async () => {
      const { status: ended, stderr } = await runCommand(t, run, { cwd, env })
      assert.equal(ended, 0, stderr)
      return mails.received.length > 0
    })
    assert.equal(await server.stop(), 0, server.stderr)

    const spans = spansIn(collector)
    const request = named(spans, 'POST /forgot')
    assert.equal(request.traceId, traceId)
    assert.equal(request.parentSpanId, spanId)
    const ours = spans.filter((span) => span.traceId === traceId)
    const handler = named(ours, 'handler /forgot')
    assert.equal(handler.parentSpanId, request.spanId)
    assert.equal(named(ours, 'middlewares').parentSpanId, request.spanId)
    const names = ours.map(({ name }) => name)
    assert.ok(names.includes('INSERT jobs'), names.join(', '))
    assert.ok(named(ours, 'send mail').kind === 4)

    // One job writes the letter, another one sends it; each is linked to the one before.
    const letter = named(spans, 'send mail smtp')
    const sending = spans.find((span) => span.spanId === letter.parentSpanId)
    const writing = spans.find((span) => span.spanId === sending?.links?.[0]?.spanId)
    assert.deepEqual([sending?.name, writing?.name], ['process mail', 'process mail'])
    assert.equal(sending?.links?.[0]?.traceId, writing?.traceId)
    assert.deepEqual(writing?.links, [{ traceId, spanId: request.spanId }])
    assert.equal(new Set([traceId, writing.traceId, letter.traceId]).size, 3)

    const [, secret = ''] =
      /\/reset\/[0-9a-f]+[./]([0-9a-f]{64})/.exec(
        mails.received[0]?.raw.toString().replaceAll('=\r\n', '') ?? '',
      ) ?? []
    assert.notEqual(secret, '')
    for (const { body } of collector.posts) {
      for (const value of [secret, demoAccount.email]) assert.ok(!body.includes(value), value)
    }
  },
)
