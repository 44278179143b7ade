import { isPlainRecord } from '../../base/is-record.ts'
import { HttpError } from '../errors/http-error.ts'
import type { Limits } from '../server/engine/limits.ts'
import { decodeText } from './body.ts'

/** An object of a JSON body. */
export type JsonObject = Readonly<Record<string, unknown>>

/** How much a JSON body may hold, by the limits of the same names. */
type JsonLimits = Pick<Limits, 'jsonDepth' | 'jsonValues'>

/**
 * The body as a JSON value. `__proto__` members are dropped, so no request can set a prototype.
 * @throws HttpError 400 when it is not JSON or nested too deep, 413 when it holds too many values.
 */
export function decodeJson(bytes: Buffer, limits: JsonLimits): unknown {
  const text = decodeText(bytes)
  // Most bodies have fewer brackets than levels are allowed, and are too short for that many values, which
  // take two bytes each with what separates them: they need no closer look.
  const mayExceed = bytes.length >= 2 * limits.jsonValues || hasMoreBrackets(text, limits.jsonDepth)
  if (mayExceed) refuseExcess(bytes, limits)
  const value = parse(text)
  if (mayNamePrototype(text)) dropPrototypes(value)
  return value
}

/**
 * The body as a JSON object. Any other value is refused unparsed, by its first character: code that
 * expects members would go through a text or a list of a million items one by one.
 * @throws HttpError 400 when it is not a JSON object or nested too deep, 413 when it holds too many values.
 */
export function decodeJsonObject(bytes: Buffer, limits: JsonLimits): JsonObject {
  const value = afterSpace(bytes, 0) === opening ? decodeJson(bytes, limits) : null
  if (isPlainRecord(value)) return value
  throw new HttpError(400, 'the request body must be a JSON object', { expose: true })
}

function hasMoreBrackets(text: string, max: number): boolean {
  let count = 0
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > max) return true
    }
  }
  return false
}

// Before parsing and before any schema: a schema that refuses each of a million values takes seconds.
// Looks at bytes, not characters: in UTF-8 these bytes are never a part of another character. Stops at
// the first bracket or value too many, and leaves errors to the parser.
function refuseExcess(bytes: Buffer, { jsonDepth, jsonValues }: JsonLimits): void {
  const { length } = bytes
  let depth = 0
  let values = 1
  if (values > jsonValues) throw tooManyValues(jsonValues)
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === quote) at = endOfText(bytes, at + 1)
    // The bit turns "[" into "{" and "]" into "}".
    else if ((byte | 0x20) === opening) {
      depth += 1
      if (depth > jsonDepth) {
        const reason = `the request body is nested more than ${jsonDepth} levels deep`
        throw new HttpError(400, reason, { expose: true })
      }
      if (!isEmpty(bytes, at) && ++values > jsonValues) throw tooManyValues(jsonValues)
    } else if ((byte | 0x20) === closing) depth -= 1
    else if (byte === comma && ++values > jsonValues) throw tooManyValues(jsonValues)
  }
}

function tooManyValues(max: number): HttpError {
  const reason = `the request body holds more than ${max} JSON values`
  return new HttpError(413, reason, { expose: true })
}

const quote = 0x22
const backslash = 0x5c
const opening = 0x7b
const closing = 0x7d
const comma = 0x2c

function endOfText(bytes: Buffer, start: number): number {
  const { length } = bytes
  let at = start
  while (at < length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

function isEmpty(bytes: Buffer, bracket: number): boolean {
  return (afterSpace(bytes, bracket + 1) | 0x20) === closing
}

function afterSpace(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && isSpace(bytes[at] ?? 0)) at += 1
  return bytes[at] ?? 0
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without a cause: its message would quote the body.
    throw new HttpError(400, 'the request body is not valid JSON')
  }
}

const escapedLetter = /\\u00(?:5f|6f|7[024])/i

// A member may spell its name with escapes.
function mayNamePrototype(text: string): boolean {
  return text.includes('__proto__') || (text.includes('\\u00') && escapedLetter.test(text))
}

// A reviver would do the same for ten times the cost; the depth is limited, so this may recurse.
function dropPrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  for (const member of Object.values(value)) dropPrototypes(member)
}
