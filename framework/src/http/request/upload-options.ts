import { invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import type { Limits } from '../server/engine/limits.ts'

/** The files that a route accepts: `{ files: 3, bytes: 5_000_000, types: ['image/*'] }`. */
export interface UploadOptions {
  /** Maximum number of files in a form. @default the limit `files` of the server */
  readonly files?: number
  /** Maximum size of each file, in bytes. @default the limit `fileBytes` of the server */
  readonly bytes?: number
  /** Maximum size of all files of a form together, in bytes. @default `files` times `bytes` */
  readonly total?: number
  /**
   * Accepted media types, such as `image/png` or `image/*`. They are compared with the type that the
   * client claims; the content is not looked at.
   * @default any type
   */
  readonly types?: readonly string[]
}

/** The same, or the fields of a body that has files. */
export interface DeclaredUploads extends UploadOptions {
  readonly fields?: Readonly<Record<string, FieldLimits>>
}

/** What a field of files takes. Files beyond it are read, but not stored: the body refuses them. */
export interface FieldLimits {
  readonly files: number
  /** Of each file. */
  readonly bytes: number
  /** By their content; empty for any. */
  readonly types: readonly string[]
  readonly isList: boolean
  readonly isRequired: boolean
}

/** A body as `withFiles` declares it. */
export interface FilesBody {
  /** Of its other fields. */
  readonly schema: StandardSchema
  readonly uploads: DeclaredUploads
}

/** The options, complete. */
export interface CompleteUploads extends Required<UploadOptions> {
  /** Null if any field may have files. */
  readonly fields: Readonly<Record<string, FieldLimits>> | null
}

const mediaRange = /^[\w!#$&^.+-]+\/(?:[\w!#$&^.+-]+|\*)$/

/**
 * Checks the options of a route.
 * @throws InvalidArgumentException for an invalid number or media type.
 */
export function checkUploads({ files, bytes, total, types = [] }: UploadOptions): void {
  for (const [name, value] of Object.entries({ files, bytes, total })) {
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue
    throw invalid(`"${name}" must be a whole number above 0, got ${value}`)
  }
  const wrong = types.find((type) => !mediaRange.test(type))
  if (wrong !== undefined) {
    throw invalid(`"types" takes media types such as image/png or image/*, got "${wrong}"`)
  }
}

/** What a body declares about its files; null if nothing. */
export function filesOf(schema: StandardSchema | null | undefined): FilesBody | null {
  const standard = schema?.['~standard'] ?? {}
  return isFilesBody(standard) ? standard : null
}

function isFilesBody(standard: object): standard is FilesBody {
  return 'schema' in standard && 'uploads' in standard
}

/** Completes the options of a route with the limits of its server. */
export function completeUploads(options: DeclaredUploads, limits: Limits): CompleteUploads {
  const { files = limits.files, bytes = limits.fileBytes, types = [], fields = null } = options
  const { total = files * bytes } = options
  if (fields === null) {
    return { files, bytes, total, types: types.map((type) => type.toLowerCase()), fields }
  }
  // What is not stored is read, too, so that the other input is not lost; up to what the server allows.
  const declared = Object.values(fields).reduce((sum, { files, bytes }) => sum + files * bytes, 0)
  const any = { files: Infinity, bytes: Infinity, types: [] }
  return { ...any, total: Math.max(total, declared), fields }
}

/** The name of a field: `photos[]` sends the list `photos`. */
export function bareName(name: string): string {
  return name.endsWith('[]') ? name.slice(0, -2) : name
}

function invalid(reason: string): InvalidArgumentException {
  return invalidArgument(`uploads of a route: ${reason}`)
}
