import type { JsonSchema } from '../base/schema/json-schema.ts'
import { html } from '../errors/reports/page-text.ts'
import { isPlainRecord } from '../base/is-record.ts'

/** Schemas of libraries may be deeper than anybody reads. */
const maxDepth = 8

/**
 * A schema as HTML in the notation of TypeScript, with limits as comments. Named schemas are links to their
 * place on the page.
 */
export function schemaText(schema: unknown, depth = 0): string {
  if (schema === false) return 'never'
  if (!isPlainRecord(schema) || depth > maxDepth) return 'any'
  const { $ref, anyOf, oneOf, allOf, type } = schema
  if (typeof $ref === 'string') return link($ref)
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ')
  const union = anyOf ?? oneOf
  if (Array.isArray(union)) return union.map((part) => inside(part, depth)).join(' | ')
  if (Array.isArray(allOf)) return allOf.map((part) => inside(part, depth)).join(' &amp; ')
  if (Array.isArray(type)) return type.map((one) => html(String(one))).join(' | ')
  if (type === 'array') return listText(schema, depth)
  if (type === 'object' || isPlainRecord(schema['properties'])) return objectText(schema, depth)
  return typeof type === 'string' ? html(type) : 'any'
}

function objectText(schema: JsonSchema, depth: number): string {
  const { properties, required, additionalProperties } = schema
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const indent = '  '.repeat(depth + 1)
  const lines = Object.entries(isPlainRecord(properties) ? properties : {}).map(([name, part]) => {
    const key = /^[\w$]+$/.test(name) ? html(name) : literal(name)
    const mark = needed.includes(name) ? '' : '?'
    return `${indent}<b>${key}</b>${mark}: ${schemaText(part, depth + 1)}${comment(part)}\n`
  })
  if (isPlainRecord(additionalProperties)) {
    lines.push(`${indent}[name]: ${schemaText(additionalProperties, depth + 1)}\n`)
  }
  return lines.length === 0 ? 'object' : `{\n${lines.join('')}${'  '.repeat(depth)}}`
}

function listText({ items, prefixItems }: JsonSchema, depth: number): string {
  if (Array.isArray(prefixItems)) {
    return `[${prefixItems.map((part) => schemaText(part, depth)).join(', ')}]`
  }
  return `${inside(items, depth)}[]`
}

function inside(part: unknown, depth: number): string {
  const text = schemaText(part, depth)
  return text.includes(' | ') && !text.startsWith('{') ? `(${text})` : text
}

/** Limits, format, default and description, as a comment. */
function comment(schema: unknown): string {
  const text = limits(schema)
  return text === '' ? '' : ` <i>// ${html(text)}</i>`
}

/** Limits, format, default and description in words. */
export function limits(schema: unknown): string {
  if (!isPlainRecord(schema)) return ''
  const { format, pattern, description } = schema
  const words = Object.entries(limitWords).flatMap(([keyword, word]) =>
    keyword in schema && !isUnlimited(schema[keyword])
      ? [`${word} ${JSON.stringify(schema[keyword])}`]
      : [],
  )
  const kind = typeof format === 'string' ? [format] : []
  // The format says the same, shorter.
  const shape = kind.length === 0 && typeof pattern === 'string' ? [`like ${pattern}`] : []
  const about = typeof description === 'string' ? [description] : []
  return [...kind, ...shape, ...words, ...about].join(', ')
}

const limitWords = {
  minLength: 'min length',
  maxLength: 'max length',
  minimum: 'min',
  exclusiveMinimum: 'above',
  maximum: 'max',
  exclusiveMaximum: 'below',
  multipleOf: 'multiple of',
  minItems: 'min items',
  maxItems: 'max items',
  default: 'default',
} as const

/** Whether a limit of a number is only that of numbers themselves. */
function isUnlimited(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER
}

function literal(value: unknown): string {
  return html(JSON.stringify(value) ?? 'undefined')
}

function link(pointer: string): string {
  const name = pointer.split('/').at(-1) ?? ''
  return `<a href="#schema-${html(encodeURIComponent(name))}">${html(name)}</a>`
}
