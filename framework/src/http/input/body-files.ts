import { writeFile } from 'node:fs/promises'
import { hasCode, invalidArgument } from '../../base/errors.ts'
import {
  isAccepted,
  picturePixels,
  pictureTypes,
  recognizedTypes,
  recognizeFile,
} from '../../base/files/recognize-file.ts'
import { isRecord } from '../../base/is-record.ts'
import type { SchemaResult, StandardSchema } from '../../base/schema/standard-schema.ts'
import type { MessageValues } from '../../i18n/message.ts'
import { TranslatedIssue } from '../errors/invalid-input.ts'
import { checkUploads } from '../request/upload-options.ts'
import type { FieldLimits, FilesBody } from '../request/upload-options.ts'
import { UploadedFile } from '../request/uploaded-file.ts'

/** What a field of files takes. */
export interface FileOptions {
  /** Maximum size of each file: a number of bytes, or a text such as `500 kB` or `2 MB`. */
  readonly max: number | string
  /**
   * Accepted media types, such as `application/pdf` or `image/*`, by the content of the file.
   * @default any type
   */
  readonly types?: readonly string[]
  /** Maximum number of files. The value is a list then, also of one. */
  readonly files?: number
  /** If not, the value without a file is null, or an empty list. @default true */
  readonly required?: boolean
}

/** What a field of pictures takes: PNG, JPEG, GIF and WebP, unless it names some of them. */
export interface ImageOptions extends FileOptions {
  /** Maximum of width times height. @default 50,000,000 */
  readonly maxPixels?: number
}

/** A field of files; its value is a file or null, or a list of files. */
export interface FileField<Value = unknown> extends FieldLimits {
  /** Exists in types only. */
  readonly value?: Value
  /** Null if it takes more than pictures. */
  readonly maxPixels: number | null
}

type FileFields = Readonly<Record<string, FileField>>

type FileValue<Options extends FileOptions> = Options extends { readonly files: number }
  ? readonly UploadedFile[]
  : Options extends { readonly required: false }
    ? UploadedFile | null
    : UploadedFile

type FileValues<Files extends FileFields> = {
  readonly [Name in keyof Files]: Files[Name] extends FileField<infer Value> ? Value : never
}

/**
 * A field of `withFiles` that takes a file, or several with `files`. Its type is that of its content, whatever the
 * client says.
 * @throws InvalidArgumentException for a type that cannot be recognized by its content.
 */
export function file<const Options extends FileOptions>(
  options: Options,
): FileField<FileValue<Options>> {
  return fileField(options, [...recognizedTypes.keys()], null)
}

/**
 * A field of `withFiles` that takes a picture. Where the package `sharp` is installed, it is written anew: upright, and
 * without metadata such as the place where it was taken.
 * @throws InvalidArgumentException for any type but JPEG, PNG, GIF and WebP.
 */
export function image<const Options extends ImageOptions>(
  options: Options,
): FileField<FileValue<Options>> {
  const { maxPixels = 50_000_000, types = pictureTypes } = options
  return fileField({ ...options, types }, pictureTypes, maxPixels)
}

/**
 * The `body` of a route whose form has files: `withFiles(Expense, { receipt: file({ max: '2 MB' }) })`. The values of
 * both are in one object.
 */
export function withFiles<Fields extends object, Files extends FileFields>(
  schema: StandardSchema<unknown, Fields>,
  files: Files,
): StandardSchema<unknown, Fields & FileValues<Files>> {
  const validate = async (value: unknown): Promise<SchemaResult<Fields & FileValues<Files>>> => {
    const sent = isRecord(value) ? value : {}
    const others = Object.entries(sent).filter(([name]) => !Object.hasOwn(files, name))
    const own = isRecord(value) ? Object.fromEntries(others) : value
    const result = await schema['~standard'].validate(own)
    const issues = [...(result.issues ?? [])]
    const values: object[] = []
    for (const [name, field] of Object.entries(files)) {
      const value = await fieldValue(field, sent[name], (path, text, values = {}) => {
        issues.push(new TranslatedIssue([name, ...path], text, values))
      })
      values.push({ [name]: value })
    }
    if (result.issues !== undefined || issues.length > 0) return { issues }
    return { value: Object.assign({}, result.value, ...values) }
  }
  const body: FilesBody = { schema, uploads: { fields: files } }
  return { '~standard': { version: 1, vendor: 'framework', validate, ...body } }
}

type Refusal = readonly [text: string, values?: MessageValues]

async function fieldValue(
  field: FileField,
  sent: unknown,
  refuse: (path: readonly number[], ...refusal: Refusal) => void,
): Promise<unknown> {
  const { isList, isRequired, files: max } = field
  // A client may send a text of the same name.
  const files = [sent].flat().filter((file) => file instanceof UploadedFile)
  const accepted: UploadedFile[] = []
  if (files.length === 0 && isRequired) refuse([], 'Choose a file.')
  if (files.length > max) {
    refuse([], max === 1 ? 'Choose only one file.' : 'Choose at most {max} files.', { max })
    return null
  }
  for (const [at, file] of files.entries()) {
    const checked = await checkFile(file, field)
    if (checked instanceof UploadedFile) accepted.push(checked)
    else refuse(isList ? [at] : [], ...checked)
  }
  return isList ? accepted : (accepted[0] ?? null)
}

async function checkFile(
  sent: UploadedFile,
  { bytes, types, maxPixels }: FileField,
): Promise<UploadedFile | Refusal> {
  const { field, filename, path, size } = sent
  if (size > bytes) return ['The file is larger than {max} MB.', { max: inMillions(bytes) }]
  const found = await recognizeFile(path)
  const type = types.length === 0 ? found[0] : found.find((type) => types.includes(type))
  if (type === undefined && types.length > 0) {
    const names = types.map((type) => recognizedTypes.get(type)).join(', ')
    return ['This type of file is not accepted. Choose one of these: {types}.', { types: names }]
  }
  const file = { field, filename, path, size, type: type ?? 'application/octet-stream' }
  if (maxPixels === null) return new UploadedFile(file)
  const pixels = await picturePixels(path, file.type)
  if (pixels !== null && pixels > maxPixels) {
    return ['The picture has more than {max} megapixels.', { max: inMillions(maxPixels) }]
  }
  const cleanSize = pixels === null ? null : await removeMetadata(path, size, maxPixels)
  if (cleanSize === null) return ['This picture cannot be read.']
  return new UploadedFile({ ...file, size: cleanSize })
}

/** The size of the picture without them; null if it cannot be read. */
async function removeMetadata(
  path: string,
  size: number,
  maxPixels: number,
): Promise<number | null> {
  const sharp = await import('sharp').catch((error: unknown) => {
    if (hasCode(error, 'ERR_MODULE_NOT_FOUND')) return null
    throw error
  })
  if (sharp === null) return size
  // The limit is for all frames of an animation together.
  const picture = sharp.default(path, { limitInputPixels: maxPixels, animated: true }).autoOrient()
  const quality = { quality: 90, force: false }
  const bytes = await picture
    .jpeg(quality)
    .webp(quality)
    .toBuffer()
    .catch(() => null)
  if (bytes !== null) await writeFile(path, bytes)
  return bytes?.length ?? null
}

const units: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9 }

/** @param known The types that it can tell apart; any other is a mistake. */
function fileField(
  { max, types = [], files, required = true }: FileOptions,
  known: readonly string[],
  maxPixels: number | null,
): FileField<never> {
  const [, amount, unit = ''] = /^([\d.]+)(?: ?(kB|MB|GB))?$/.exec(String(max)) ?? []
  const bytes = Math.floor(Number(amount) * (units[unit] ?? 1))
  if (!(bytes > 0)) throw invalidArgument(`"max" of a file is a size such as "2 MB", got "${max}"`)
  checkUploads({ files: files ?? 1, bytes, types })
  const accepted = types.flatMap((range) => {
    const found = known.filter((type) => isAccepted(type, [range]))
    if (found.length > 0) return found
    throw invalidArgument(
      `"${range}" cannot be recognized by the content of a file; choose from ${known.join(', ')}`,
    )
  })
  const isList = files !== undefined
  return { files: files ?? 1, bytes, types: accepted, isList, isRequired: required, maxPixels }
}

// Rounded for people.
function inMillions(value: number): number {
  return Number((value / 1e6).toPrecision(3))
}
