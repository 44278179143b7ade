import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Channel } from '../logs/channel.ts'
import { command } from './command.ts'
import { parameter } from './parameter.ts'

const tools = {
  services: { shelves: 3 },
  signal: new AbortController().signal,
  print: () => {},
  log: new Channel('command', { sinks: [] }),
}

test('a command gets its services, and only the values it has declared', async () => {
  const described = command('items:import', {
    description: 'import items',
    args: { file: parameter.text('path of the file') },
    options: { limit: parameter.integer('how many', { optional: true }) },
  })
  const { run, name } = described.run<{ shelves: number }>(({ services, args, options }) => {
    assert.deepEqual({ ...args }, { file: 'a.csv' })
    assert.deepEqual({ ...options }, { limit: undefined })
    return services.shelves
  })
  assert.equal(name, 'items:import')
  assert.equal(await run(tools, { args: { file: 'a.csv', other: 1 }, options: {} }), 3)
})

test('parameters parse what they expect and nothing else', () => {
  const cases: readonly (readonly [(text: string) => unknown, string, unknown])[] = [
    [parameter.integer('').parse, '-12', -12],
    [parameter.integer('').parse, '1.5', undefined],
    [parameter.integer('').parse, '0x10', undefined],
    [parameter.integer('').parse, '99999999999999999', undefined],
    [parameter.number('').parse, '1.5', 1.5],
    [parameter.number('').parse, '1e3', undefined],
    [parameter.number('').parse, '', undefined],
    [parameter.choice(['csv', 'json'], '').parse, 'csv', 'csv'],
    [parameter.choice(['csv', 'json'], '').parse, 'xml', undefined],
    [parameter.text('').parse, '', ''],
  ]
  for (const [parse, text, expected] of cases) assert.equal(parse(text), expected, text)
})

test('an invalid name or parameter is refused', () => {
  const text = parameter.text('x')
  const optional = parameter.text('x', { optional: true })
  const describe = (name: string, parts: object): void => {
    Reflect.apply(command, undefined, [name, { description: 'x', ...parts }])
  }
  const wrong: readonly (readonly [string, object])[] = [
    ['Import', {}],
    ['', {}],
    ['import items', {}],
    ['import', { args: { 'a-b': text } }],
    ['import', { args: { force: parameter.flag('x') } }],
    ['import', { args: { files: parameter.list('x'), last: optional } }],
    ['import', { args: { first: optional, second: text } }],
    ['import', { options: { project: text } }],
    ['import', { options: { help: parameter.flag('x') } }],
    ['import', { options: { noCache: parameter.flag('x') } }],
    ['import', { options: { files: parameter.list('x') } }],
  ]
  for (const [name, parts] of wrong) {
    assert.throws(() => describe(name, parts), { code: 'E_COMMAND' }, JSON.stringify([name, parts]))
  }
})
