import type { StandardSchema } from '../../base/schema/standard-schema.ts'

/** What the OpenAPI document says about a route besides what its options tell anyway. */
export interface OpenApiOptions {
  /** A few words, for lists. */
  readonly summary?: string
  /** More about it; CommonMark. */
  readonly description?: string
  /** @default the name of the route set */
  readonly tags?: readonly string[]
  /**
   * Responses by status: the schema of a JSON body, or a text that says when it comes. Nothing is checked
   * by them: `{ 201: Note, 409: 'The note was changed by somebody else.' }`.
   * @default any successful status
   */
  readonly responses?: Readonly<Record<number, StandardSchema | string>>
}
