import type { Request } from '../http/request/request.ts'
import type { Response } from '../http/response/response.ts'
import type { Middleware } from '../http/router/middleware.ts'
import type { Router } from '../http/router/router.ts'

const names = {
  '/inspect': 'Inspector',
  '/metrics': 'Metrics',
  '/errors': 'Errors',
  '/queue': 'Queue',
  '/mails': 'Mails',
  '/openapi': 'API',
} as const

/** Where the pages for developers and operators are, in the order in which they are listed. */
export const toolPaths: readonly string[] = Object.keys(names)

/** Whether a path is that of a tool or below it. */
export function isToolPath(path: string): boolean {
  return toolPaths.some((tool) => path === tool || path.startsWith(`${tool}/`))
}

type Allows = (request: Request) => boolean
const gates = new WeakMap<Middleware, Allows>()

/** Makes known whom the middleware in front of a tool lets through: only for them the others link to it. */
export function gate<Gate extends Middleware>(middleware: Gate, allows: Allows): Gate {
  gates.set(middleware, allows)
  return middleware
}

/** What the documents of all tools have in common. */
export interface ToolFrame {
  readonly nonce: string
  /** HTML of the links to the tools that the project has and the client may open. */
  readonly tools: string
}

/** The frame of a tool's page for a request. */
export function toolFrame(router: Router, request: Request, { nonce }: Response): ToolFrame {
  const { path: current } = request
  const links = Object.entries(names).map(([path, name]) => {
    const route = router
      .all()
      .find(({ method, pattern }) => method === 'GET' && pattern.text === path)
    if (!route?.middlewares.some((one) => gates.get(one)?.(request))) return ''
    const isBelow = current.startsWith(`${path}/`)
    const mark = current === path ? ' aria-current="page"' : isBelow ? ' aria-current="true"' : ''
    return `<li><a href="${path}"${mark}>${name}</a></li>`
  })
  const site = '<a href="/">Back to the site</a>'
  return {
    nonce,
    tools: `<nav class="house" aria-label="Tools"><ul>${links.join('')}</ul>${site}</nav>`,
  }
}
