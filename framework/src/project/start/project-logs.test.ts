import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { readScopes } from '../../settings/scope.ts'
import { serverScope } from '../../http/server/server-settings.ts'
import { exceptionsReporter } from '../../logs/exceptions-reporter.ts'
import { openLogs, logWarnings } from './project-logs.ts'
import { Logs } from '../../logs/logs.ts'

test('the security log is a file even without LOG_FILE', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'project-logs-'))
  t.after(() => rmSync(root, { recursive: true }))
  const source = { environment: 'production', lookup: () => null } as const
  const { server } = readScopes({ server: serverScope }, source)
  const logs = openLogs({ root, settings: server, environment: source.environment })
  for (const channel of ['security', 'auth']) logs.channel(channel).warn('seen')
  await logs.close()
  const folder = join(root, 'storage', 'logs')
  assert.deepEqual(readdirSync(folder), ['security.log'])
  assert.match(readFileSync(join(folder, 'security.log'), 'utf8'), /"message":"seen"/)
})

test('a screen shows an exception as a report and a request as a short line, a file JSON', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'project-logs-'))
  t.after(() => rmSync(root, { recursive: true }))
  const source = { environment: 'development', lookup: () => null } as const
  const { server } = readScopes({ server: serverScope }, source)
  const screen = Object.assign(new PassThrough(), { isTTY: true, hasColors: () => false })
  const logs = openLogs({ root, settings: server, environment: source.environment, output: screen })
  const request = { interface: 'WPI', method: 'GET', URI: '/x', peer: '127.0.0.1', request: 'r1' }
  exceptionsReporter(logs, { root })(new RangeError('too far'), request)
  const context = '{"route":"/x","method":"GET","status":500,"ms":2.5,"queries":0}'
  logs.channel('requests').writeJson('warn', `"message":"GET /x","context":${context},"extra":{}}`)
  await logs.close()
  const shown = String(screen.read())
  assert.match(shown, /^[\d:.]{12} ERROR exceptions\nRangeError: too far\n    at /)
  assert.match(shown, /> \d+ \| .*new RangeError\('too far'\)/)
  assert.match(shown, /\n  request    GET \/x \(r1\)\n/)
  assert.match(shown, /\n[\d:.]{12} GET  \/x 500 2\.5 ms\n$/)
  assert.doesNotMatch(shown, /"class"|class=/)
  const line = readFileSync(join(root, 'storage', 'logs', 'exceptions.log'), 'utf8')
  assert.equal(JSON.parse(line).context.class, 'RangeError')
})

test('a warning of the process is a line in the log with the line of its cause, until it is ended', async () => {
  const lines: string[] = []
  const sink = {
    dropped: 0,
    write: (line: string) => void lines.push(line),
    flush: async () => {},
    flushSync: () => {},
    close: async () => {},
  }
  const logs = new Logs({ level: 'info', sinks: () => [sink] })
  const end = logWarnings(logs.channel('server'), '/shop')
  const warning = Object.assign(new Error('too many series'), { name: 'MetricOverflow' })
  warning.stack = 'MetricOverflow\n    at count (/shop/services/orders.ts:7:3)'
  process.emitWarning(warning)
  await new Promise(setImmediate)
  end()
  process.emitWarning('said to nobody', 'MetricOverflow')
  await new Promise(setImmediate)
  assert.equal(lines.length, 1)
  assert.match(
    lines[0] ?? '',
    /"message":"too many series".*"warning":"MetricOverflow","caller":"services\/orders.ts:7"/,
  )
})
