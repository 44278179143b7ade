import type { ListSchemaProps } from './list.ts'

/** Whether these are the members of a list as a schema: its refusals are a 400. */
export function isListSchema(standard: object | null): standard is ListSchemaProps<unknown> {
  return standard !== null && 'status' in standard && standard.status === 400
}
