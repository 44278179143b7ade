import type { JsonSchema } from '../base/schema/json-schema.ts'
import type { UploadOptions } from '../http/request/upload-options.ts'
import type { Route } from '../http/router/route.ts'
import type { Components } from './components.ts'

/** A body by its media types. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

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
  const schema =
    declared === null
      ? { type: 'object' }
      : await components.describe(declared, { side: 'input', label: `the body of ${label}` })
  const { required } = schema
  return {
    // A request without a body has no fields.
    required: '$ref' in schema || (Array.isArray(required) && required.length > 0),
    ...(uploads !== null && { description: uploadsText(uploads) }),
    content: {
      ...(declared !== null && { 'application/json': { schema } }),
      ...(form !== null && { 'application/x-www-form-urlencoded': { schema } }),
      ...(uploads !== null && { 'multipart/form-data': { schema: withFiles(schema, uploads) } }),
    },
  }
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
