import { HttpError } from '../errors/http-error.ts'
import { mediaType } from './body.ts'

/** The header of one part of a multipart form. */
export interface PartHeader {
  readonly name: string
  /** Null for a field; empty if no file was chosen. */
  readonly filename: string | null
  readonly type: string
}

const parameter = /;[ \t]*([^\s=;"]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s";]*))[ \t]*/y

/**
 * Reads the header of a part: values by lower-case name, as the parser provides them.
 * @throws HttpError 400 unless it names exactly one field.
 */
export function partHeader(header: object): PartHeader {
  const disposition = only(header, 'content-disposition')
  const parameters = disposition === null ? null : dispositionParameters(disposition)
  const name = parameters?.get('name')
  if (name === undefined) throw new HttpError(400, 'a part of the form has no usable name')
  const type = mediaType(only(header, 'content-type') ?? undefined)
  return {
    name,
    filename: parameters?.get('filename') ?? null,
    type: type === '' ? 'application/octet-stream' : type,
  }
}

/**
 * The boundary between parts, from the `Content-Type` of the request.
 * @throws HttpError 400 unless it has 1 to 70 characters.
 */
export function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain ?? ''
  if (boundary === '' || boundary.length > 70) {
    throw new HttpError(400, 'the multipart body needs a boundary of 1 to 70 characters')
  }
  return boundary
}

// Null if it is malformed or has a parameter twice, which parsers interpret differently.
function dispositionParameters(disposition: string): Map<string, string> | null {
  const start = /^form-data[ \t]*(?=;|$)/i.exec(disposition)?.[0].length
  if (start === undefined) return null
  const parameters = new Map<string, string>()
  parameter.lastIndex = start
  let end = start
  while (end < disposition.length) {
    const found = parameter.exec(disposition)
    if (found === null) return null
    end = parameter.lastIndex
    const [, name = '', quoted, plain = ''] = found
    const key = name.toLowerCase()
    if (parameters.has(key)) return null
    // Only quotes and backslashes are escaped in practice: any other backslash is part of a path.
    parameters.set(key, utf8(quoted?.replaceAll(/\\(["\\])/g, '$1') ?? plain))
  }
  return parameters
}

// The parser decodes headers as Latin-1.
function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}

function only(header: object, name: string): string | null {
  const values: unknown = Reflect.get(header, name)
  if (!Array.isArray(values) || values.length !== 1) return null
  const [value]: unknown[] = values
  return typeof value === 'string' ? value : null
}
