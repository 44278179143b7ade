import { routeSet } from '../http/router/route-set.ts'
import type { RouteSet } from '../http/router/route-set.ts'
import type { Router } from '../http/router/router.ts'
import type { Server } from '../http/server/server.ts'
import { forDevelopers, pageToken } from '../devtools/for-developers.ts'
import { toolFrame } from '../devtools/tools.ts'
import { allowModules, serveModules } from '../devtools/page-modules.ts'
import { documentPage, modulesFolder } from './document-page.ts'
import { openApiDocument, projectInfo } from './open-api-document.ts'
import type { DescribedApi } from './open-api-document.ts'

/** Where the page is. */
export const openApiPath = '/openapi'

/** Options of `openApiRoutes`. */
export interface OpenApiRoutesOptions {
  /** Whose API is described. */
  readonly server: Pick<Server, 'router' | 'middlewares' | 'listLimits'>
  /** Folder of the project. */
  readonly root: string
  /** Name of the project. */
  readonly name: string
  /** Whether clients on other machines may look too, as `DEBUG_REMOTE` says. */
  readonly remote: boolean
}

/**
 * `/openapi`, to read and try the API of a project in development, and `/openapi.json`. A project's own
 * routes there win.
 */
export function openApiRoutes(options: OpenApiRoutesOptions): RouteSet<unknown> {
  return routeSet<unknown>('OpenApi', (router) => declareOpenApi(router, options))
}

/** Declares `/openapi` and `/openapi.json`. */
export function declareOpenApi(
  router: Router,
  { server, root, name, remote }: OpenApiRoutesOptions,
): void {
  const document = `${openApiPath}.json`
  const own = new RegExp(String.raw`^${openApiPath}(?:\.json$|/|$)`)
  if (router.routes().some(({ pattern }) => own.test(pattern))) return
  let described: Promise<DescribedApi> | null = null
  // On first use: the routes are all declared then, and do not change any more.
  const api = (): Promise<DescribedApi> => {
    described ??= projectInfo(root, name).then((info) => openApiDocument(server, info))
    return described
  }
  const middlewares = [forDevelopers(remote)]
  router.get(document, async (_request, response) => response.json((await api()).document), {
    middlewares,
  })
  router.group(
    openApiPath,
    (group) => {
      group.get('/', async (request, response) => {
        const frame = toolFrame(router, request, response)
        const hasInspector = router.routes().some(({ pattern }) => pattern === '/inspect')
        const token = await pageToken(request)
        return allowModules(response).html(
          documentPage(await api(), { ...frame, token, hasInspector }),
        )
      })
      serveModules(group, '/page', modulesFolder)
    },
    middlewares,
  )
}
