/** What the input of a route needs to know of a list as a schema; `ListSchemaProps` has more. */
interface ListSchema {
  readonly status: 400
  /** The parameters that its pages keep. */
  readonly parameters: ReadonlySet<string>
}

/** Whether these are the members of a list as a schema: its refusals are a 400. */
export function isListSchema(standard: object | null): standard is ListSchema {
  return standard !== null && 'status' in standard && standard.status === 400
}
