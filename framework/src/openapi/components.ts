import { jsonSchemaOf } from '../base/schema/json-schema.ts'
import type { JsonSchema, SchemaSide } from '../base/schema/json-schema.ts'
import type { StandardSchema } from '../base/schema/standard-schema.ts'
import { isPlainRecord } from '../base/is-record.ts'

/** Refers to a component. */
export interface Reference {
  readonly $ref: string
}

/** The schemas and responses that operations refer to by name, and what could not be described. */
export class Components<Response = unknown> {
  readonly #schemas = new Map<string, JsonSchema>()
  /** By what they were made of: each is added once. */
  readonly #names = new Map<unknown, string>()
  readonly #responses = new Map<string, Response>()
  readonly #notes = new Set<string>()

  /** By name, sorted. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    return sorted(this.#schemas)
  }

  /** By name, sorted. */
  get responses(): Readonly<Record<string, Response>> {
    return sorted(this.#responses)
  }

  get notes(): readonly string[] {
    return [...this.#notes]
  }

  note(text: string): void {
    this.#notes.add(text)
  }

  /** A reference to the schema of something, which is described when it is first asked for. */
  async refer(
    source: unknown,
    name: string,
    describe: () => JsonSchema | Promise<JsonSchema>,
  ): Promise<JsonSchema> {
    const known = this.#names.get(source)
    if (known !== undefined) return { $ref: pointerTo(known) }
    const free = this.#reserve(name)
    this.#names.set(source, free)
    this.#schemas.set(free, await describe())
    return { $ref: pointerTo(free) }
  }

  /** A reference to a response that is the same for many operations. */
  async share(name: string, describe: () => Promise<Response>): Promise<Reference> {
    if (!this.#responses.has(name)) this.#responses.set(name, await describe())
    return { $ref: `#/components/responses/${name}` }
  }

  /** The JSON Schema of a declared schema; `{}`, and a note, if it cannot be described. */
  async describe(
    schema: StandardSchema,
    { side, label }: { readonly side: SchemaSide; readonly label: string },
  ): Promise<JsonSchema> {
    const converted = await jsonSchemaOf(schema, side)
    if (converted.note !== null) this.note(`${label} is not described: ${converted.note}`)
    // A response may get more members: clients must not refuse them.
    const open = side === 'output' ? mapSchema(converted.schema, withoutClosing) : converted.schema
    return this.#hoist(open, label)
  }

  // A reference inside a schema means its own root, which in the document is elsewhere: what it refers to
  // becomes a component.
  #hoist(schema: JsonSchema, label: string): JsonSchema {
    const { $defs, ...root } = schema
    const definitions = isPlainRecord($defs) ? Object.entries($defs) : []
    // Libraries call those without a name 0 or __schema0.
    const nameOf = (name: string): string => (/^[A-Za-z]/.test(name) ? name : nameFor(label) + name)
    const places = new Map(
      definitions.map(([name]) => [`#/$defs/${name}`, pointerTo(this.#reserve(nameOf(name)))]),
    )
    let rootName: string | null = null
    const moved = (part: JsonSchema): JsonSchema => {
      const { $ref } = part
      if (typeof $ref !== 'string' || !$ref.startsWith('#')) return part
      const place = places.get($ref)
      if (place !== undefined) return { ...part, $ref: place }
      rootName ??= this.#reserve(nameFor(label))
      return { ...part, $ref: pointerTo(rootName) + $ref.slice(1) }
    }
    for (const [name, part] of definitions) {
      const place = places.get(`#/$defs/${name}`) ?? ''
      if (isPlainRecord(part))
        this.#schemas.set(place.slice(pointerTo('').length), mapSchema(part, moved))
    }
    const described = mapSchema(root, moved)
    if (rootName === null) return described
    this.#schemas.set(rootName, described)
    return { $ref: pointerTo(rootName) }
  }

  /** A name that no other schema has. */
  #reserve(name: string): string {
    const plain = name.replaceAll(/[^\w.-]+/g, '_') || 'Schema'
    let free = plain
    for (let at = 2; this.#schemas.has(free); at += 1) free = `${plain}${at}`
    this.#schemas.set(free, {})
    return free
  }
}

function sorted<Part>(parts: ReadonlyMap<string, Part>): Readonly<Record<string, Part>> {
  return Object.fromEntries([...parts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function withoutClosing({ additionalProperties, ...part }: JsonSchema): JsonSchema {
  const isKept = additionalProperties !== undefined && additionalProperties !== false
  return isKept ? { ...part, additionalProperties } : part
}

function pointerTo(name: string): string {
  return `#/components/schemas/${name}`
}

/** `the body of POST /notes` becomes `BodyOfPostNotes`. */
function nameFor(label: string): string {
  const words = label.replace(/^the /, '').match(/[A-Za-z\d]+/g) ?? []
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('')
}

/** Keywords whose value is an object of schemas by name, and those whose value is data, not schemas. */
const named: ReadonlySet<string> = new Set(
  '$defs definitions dependentSchemas patternProperties properties'.split(' '),
)
const data: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

/** A copy of a schema in which every schema, also those inside others, is what `change` makes of it. */
function mapSchema(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner)
    return isPlainRecord(value) ? mapSchema(value, change) : value
  }
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (data.has(keyword)) return [keyword, value]
    if (!named.has(keyword) || !isPlainRecord(value)) return [keyword, inner(value)]
    const parts = Object.entries(value).map(([name, part]) => [name, inner(part)])
    return [keyword, Object.fromEntries(parts)]
  })
  return change(Object.fromEntries(entries))
}
