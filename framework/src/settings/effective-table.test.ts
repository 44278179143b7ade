import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectiveTable } from './effective-table.ts'
import type { EnvSource } from './env-source.ts'
import { env } from './env.ts'
import { scope } from './scope.ts'

const shop = scope('shop', {
  name: env.string('SHOP_NAME', { default: 'Corner', meaning: 'name of the shop' }),
  tags: env.list('SHOP_TAGS', { default: [], meaning: 'tags' }),
  open: env.boolean('SHOP_OPEN', { default: true, meaning: 'whether it is open' }),
  till: env.url('SHOP_TILL', { default: '', meaning: 'the till' }),
  pin: env.string('SHOP_PIN', { default: '', secret: true, meaning: 'pin of the till' }),
  token: env.optional(env.string('SHOP_TOKEN', { meaning: 'token of the till' })),
})

function source(texts: Record<string, string>): EnvSource {
  const lookup = (name: string): ReturnType<EnvSource['lookup']> => {
    const text = texts[name]
    return text === undefined ? null : { text, origin: '.env.test' }
  }
  return { environment: 'test', lookup }
}

function valuesOf(texts: Record<string, string>): Record<string, string> {
  const rows = effectiveTable([shop], source(texts))
  return Object.fromEntries(rows.map(({ variable, value }) => [variable, value]))
}

test('a row has scope, variable, value, origin and meaning', () => {
  const rows = effectiveTable([shop], source({ SHOP_NAME: 'Market' }))
  assert.deepEqual(rows.slice(0, 2), [
    {
      scope: 'shop',
      variable: 'SHOP_NAME',
      value: 'Market',
      origin: '.env.test',
      meaning: 'name of the shop',
    },
    { scope: 'shop', variable: 'SHOP_TAGS', value: '', origin: 'default', meaning: 'tags' },
  ])
})

test('values are shown as they were parsed', () => {
  const values = valuesOf({ SHOP_TAGS: 'a,b', SHOP_OPEN: 'no' })
  assert.equal(values['SHOP_TAGS'], 'a, b')
  assert.equal(values['SHOP_OPEN'], 'false')
})

test('secrets are masked; only an empty one shows that it is empty', () => {
  const values = valuesOf({ SHOP_PIN: '1234', SHOP_TOKEN: 'abcd' })
  assert.equal(values['SHOP_PIN'], '********')
  assert.equal(values['SHOP_TOKEN'], '********')
  assert.equal(valuesOf({})['SHOP_PIN'], '')
})

test('the user part of a URL is masked', () => {
  const values = valuesOf({ SHOP_TILL: 'postgres://ada:p@ss@till.example/db?x=a@b' })
  assert.equal(values['SHOP_TILL'], 'postgres://********@till.example/db?x=a@b')
})
