import type { JsonSchema } from '../base/schema/json-schema.ts'
import { ErrorFormats } from '../http/errors/error-format.ts'
import type { Route } from '../http/router/route.ts'
import type { Server } from '../http/server/server.ts'
import type { Components } from './components.ts'
import type { OperationResponse } from './operation-responses.ts'
import type { Operation } from './operation.ts'
import { pathTemplate } from './path-template.ts'
import type { PathTemplate } from './path-template.ts'
import type { SecurityScheme } from './route-access.ts'

/** What an API is called. */
export interface OpenApiInfo {
  readonly title: string
  /** Of the API, not of OpenAPI. */
  readonly version: string
  readonly description?: string
}

/** An OpenAPI document, as far as routes tell it. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: OpenApiInfo
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  /** The operations of each path by method, in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, OperationResponse>>
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  }
}

/** A document, and what it does not describe. */
export interface DescribedApi {
  readonly document: OpenApiDocument
  readonly notes: readonly string[]
}

/** The methods that OpenAPI has, in the order in which they are listed. */
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']

/**
 * Describes the API of a server (OpenAPI 3.1). The same routes always give the same document, whatever the
 * order of their declaration.
 */
export async function openApiDocument(
  server: Pick<Server, 'router' | 'middlewares' | 'listLimits'>,
  info: OpenApiInfo,
): Promise<DescribedApi> {
  // Most processes that load the server describe no API: what does it is much code.
  const { Components } = await import('./components.ts')
  const { describeOperation } = await import('./operation.ts')
  const { securitySchemes } = await import('./route-access.ts')
  const { middlewares, listLimits } = server
  const components = new Components<OperationResponse>()
  const paths = new Map<string, [string, Operation][]>()
  for (const { route, path, id } of placedRoutes(server.router.all(), components)) {
    const context = { id, path, middlewares, listLimits, components }
    const operation = await describeOperation(route, context)
    const listed = paths.get(path.text) ?? []
    paths.set(path.text, [...listed, [route.method.toLowerCase(), operation]])
  }
  const operations = [...paths.values()].flat().map(([, operation]) => operation)
  const tags = [...new Set(operations.flatMap((operation) => operation.tags ?? []))].toSorted()
  const document: OpenApiDocument = {
    openapi: '3.1.1',
    info,
    // The site that serves it.
    servers: [{ url: '/' }],
    tags: tags.map((name) => ({ name })),
    paths: Object.fromEntries(
      [...paths].map(([path, found]) => [path, Object.fromEntries(found.toSorted(byMethod))]),
    ),
    components: {
      schemas: components.schemas,
      responses: components.responses,
      securitySchemes: securitySchemes(
        operations.flatMap(({ security }) => security),
        middlewares,
      ),
    },
  }
  return { document, notes: components.notes }
}

/**
 * Whether a route is part of the API: it says so, its errors are JSON, or it declares input or problems
 * without being the target of a form.
 */
export function isListed({ openapi, errorFormat, form, input, problems }: Route): boolean {
  if (openapi !== null) return openapi !== false
  if (errorFormat === ErrorFormats.Problem) return true
  return form === null && (input !== null || problems.length > 0)
}

interface PlacedRoute {
  readonly route: Route
  readonly path: PathTemplate
  readonly id: string
}

/** The listed routes with their paths and ids, sorted. A pattern with an optional end has two paths. */
function placedRoutes(routes: readonly Route[], components: Components): PlacedRoute[] {
  const sorted = routes.filter(isListed).toSorted(byPattern)
  const names = new Map<string, readonly string[]>()
  const taken = new Set<string>()
  const placed: PlacedRoute[] = []
  for (const route of sorted) {
    if (!methods.includes(route.method.toLowerCase())) {
      components.note(`${labelOf(route)} is not listed: OpenAPI has no such method`)
      continue
    }
    for (const form of route.pattern.forms) {
      // Templates that differ in the names of parameters only would be the same path twice.
      const { shape, parameters } = pathTemplate(form)
      const path = pathTemplate(form, names.get(shape))
      names.set(shape, names.get(shape) ?? parameters.map(({ name }) => name))
      const place = `${route.method} ${path.text}`
      if (taken.has(place)) {
        components.note(
          `${labelOf(route)} is not listed: in OpenAPI its path is that of another route`,
        )
        continue
      }
      taken.add(place)
      placed.push({ route, path, id: freeId(operationId(route, path), taken) })
    }
  }
  return placed
}

/** `notes.show` if the route has a name, otherwise `get-notes-id`. */
function operationId({ name, method }: Route, { text }: PathTemplate): string {
  const words = `${method} ${text}`.toLowerCase().match(/[a-z\d]+/g) ?? []
  return name ?? words.join('-')
}

function freeId(id: string, taken: Set<string>): string {
  let free = id
  for (let at = 2; taken.has(free); at += 1) free = `${id}-${at}`
  taken.add(free)
  return free
}

function byPattern(one: Route, other: Route): number {
  if (one.pattern.text !== other.pattern.text) return one.pattern.text < other.pattern.text ? -1 : 1
  return methods.indexOf(one.method.toLowerCase()) - methods.indexOf(other.method.toLowerCase())
}

function byMethod([one]: [string, Operation], [other]: [string, Operation]): number {
  return methods.indexOf(one) - methods.indexOf(other)
}

function labelOf({ method, pattern }: Route): string {
  return `${method} ${pattern.text}`
}

/** What the API of a project is called: its name, with version and description of its `package.json`. */
export async function projectInfo(root: string, title: string): Promise<OpenApiInfo> {
  const { readManifest } = await import('../settings/release.ts')
  const { version, description } = readManifest(root)
  return {
    title,
    version: typeof version === 'string' ? version : '0.0.0',
    ...(typeof description === 'string' && { description }),
  }
}
