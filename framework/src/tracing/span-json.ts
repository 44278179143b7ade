import { REDACTED, maskText } from '../base/mask-text.ts'
import { isSecret } from '../base/is-secret-key.ts'
import type { SpanAttributes, SpanKinds } from './span.ts'

/** Longer texts are cut. */
const maxLength = 4_096
const maxItems = 64

/** Name and kind; the same for many spans. */
export function nameJson(name: string, kind: SpanKinds): string {
  return `,"name":${JSON.stringify(cut(name))},"kind":${kind}`
}

/** What follows ids and times in the JSON of a span: the same for many, so it is worth keeping. */
export function restBytes(name: string, kind: SpanKinds, attributes: string): Uint8Array {
  return Buffer.from(`${nameJson(name, kind)}${attributeList(attributes)}}`)
}

/** The same text. V8 keeps one that was put together as its parts, and would visit each at every use. */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}

/** The status of a failed span. */
export const failedJson = ',"status":{"code":2}'

/** Attributes as JSON objects between commas, redacted and bounded. */
export function attributesJson(attributes: SpanAttributes): string {
  let text = ''
  for (const [key, value] of Object.entries(attributes)) {
    const encoded = value === undefined ? null : valueJson(isSecret(key, value) ? REDACTED : value)
    if (encoded === null) continue
    text += `${text === '' ? '' : ','}{"key":${JSON.stringify(cut(key))},"value":${encoded}}`
  }
  return text
}

/** The member `attributes` around parts of `attributesJson`; empty without any. */
export function attributeList(first: string, second = ''): string {
  if (first === '' && second === '') return ''
  const comma = first === '' || second === '' ? '' : ','
  return `,"attributes":[${first}${comma}${second}]`
}

// They may come from untyped code: what OTLP cannot express is left out.
function valueJson(value: unknown): string | null {
  if (typeof value === 'string') return `{"stringValue":${JSON.stringify(cut(maskText(value)))}}`
  if (typeof value === 'boolean') return `{"boolValue":${value}}`
  if (typeof value !== 'number') return Array.isArray(value) ? listJson(value) : null
  if (Number.isSafeInteger(value)) return `{"intValue":"${value}"}`
  return Number.isFinite(value) ? `{"doubleValue":${value}}` : null
}

function listJson(values: readonly unknown[]): string {
  const texts = values.slice(0, maxItems).flatMap((one) => valueJson(one) ?? [])
  return `{"arrayValue":{"values":[${texts.join(',')}]}}`
}

function cut(text: string): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).toWellFormed()
}
