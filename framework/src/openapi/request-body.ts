import type { JsonSchema } from '../base/schema/json-schema.ts'
import { filesOf } from '../http/request/upload-options.ts'
import type { FieldLimits, UploadOptions } from '../http/request/upload-options.ts'
import type { Route } from '../http/router/route.ts'
import type { Components } from './components.ts'

/** A body by its media types, with those of the files in it. */
export type Content = Readonly<
  Record<string, { readonly schema: JsonSchema; readonly encoding?: JsonSchema }>
>

/** The body of an operation. */
export interface RequestBody {
  readonly required: boolean
  readonly description?: string
  readonly content: Content
}

/** The body that a route declares: JSON, and a form if it has a page with one or takes files. */
export async function requestBody(
  { input, uploads, form }: Route,
  label: string,
  components: Components,
): Promise<RequestBody | null> {
  const declared = input?.body ?? null
  if (declared === null && uploads === null) return null
  const { schema: fields } = filesOf(declared) ?? { schema: declared }
  const files = uploads?.fields ?? null
  const schema =
    fields === null
      ? { type: 'object' }
      : await components.describe(fields, { side: 'input', label: `the body of ${label}` })
  const { required } = schema
  const needsFile = Object.values(files ?? {}).some(({ isRequired }) => isRequired)
  return {
    // A request without a body has no fields.
    required: needsFile || '$ref' in schema || (Array.isArray(required) && required.length > 0),
    ...(uploads !== null && { description: uploadsText(uploads) }),
    content: {
      ...(declared !== null && !needsFile && { 'application/json': { schema } }),
      ...(form !== null && !needsFile && { 'application/x-www-form-urlencoded': { schema } }),
      ...(uploads !== null && {
        'multipart/form-data':
          files === null ? { schema: withFiles(schema, uploads) } : withFields(schema, files),
      }),
    },
  }
}

function withFields(
  schema: JsonSchema,
  files: Readonly<Record<string, FieldLimits>>,
): Content[string] {
  const { properties, required = [] } = schema
  const parts = Object.entries(files)
  const own = parts.map(([name, limits]) => [name, fileField(limits)])
  const needed = parts.filter(([, { isRequired }]) => isRequired).map(([name]) => name)
  const typed = parts.filter(([, { types }]) => types.length > 0)
  const encoding = typed.map(([name, { types }]) => [name, { contentType: types.join(', ') }])
  return {
    schema: {
      ...schema,
      properties: Object.assign({}, properties, Object.fromEntries(own)),
      required: [required, needed].flat(),
    },
    encoding: Object.fromEntries(encoding),
  }
}

function fileField({ bytes, types, files, isList, isRequired }: FieldLimits): JsonSchema {
  const [contentMediaType = 'application/octet-stream'] = types.length === 1 ? types : []
  const description = `At most ${bytes} bytes${types.length > 0 ? ` of ${types.join(', ')}` : ''}.`
  const file = { type: 'string', format: 'binary', contentMediaType, description }
  return isList
    ? { type: 'array', items: file, minItems: isRequired ? 1 : 0, maxItems: files }
    : file
}

/** Every further field may be a file: a route does not say what they are called. */
function withFiles(schema: JsonSchema, { types = [] }: UploadOptions): JsonSchema {
  if (schema['type'] !== 'object') return schema
  const contentMediaType = types.find((type) => !type.endsWith('*')) ?? 'application/octet-stream'
  return { ...schema, additionalProperties: { type: 'string', contentMediaType } }
}

function uploadsText({ files, bytes, total, types }: UploadOptions): string {
  const parts = [
    files === undefined
      ? 'Files are accepted'
      : `At most ${files} ${files === 1 ? 'file' : 'files'}`,
    bytes === undefined ? '' : `each at most ${bytes} bytes`,
    total === undefined ? '' : `at most ${total} bytes together`,
    types === undefined ? '' : `of ${types.join(', ')}`,
  ]
  return `${parts.filter((part) => part !== '').join(', ')}.`
}
